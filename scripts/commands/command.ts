/** A subcommand of `hither`. */
export interface Command {
  /** What follows its name. */
  readonly usage: string
  /** The sentence that precedes the reason of a failure. */
  readonly failure: string
  /** Throws `UsageError` for wrong arguments. */
  run(args: readonly string[], surroundings: Surroundings): Promise<void>
}

interface Surroundings {
  /** The settings of an installed package, which belong into a backup to a file. */
  readonly settingsFile: string | null
}

export class UsageError extends Error {
  override name = 'UsageError'
}
