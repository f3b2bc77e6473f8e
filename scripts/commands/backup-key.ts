import { createKeyPair } from '../../server/src/backups/encryption.ts'
import { type Command, UsageError } from './command.ts'

/** Prints a new key pair for encrypted backups. Writes no file. */
export const backupKey: Command = {
  usage: '',
  failure: 'No keys were made.',
  async run(args) {
    if (args.length > 0) throw new UsageError()
    const { publicKey, privateKey } = await createKeyPair()
    process.stdout.write(`
  Public key, for the setting BACKUP_RECIPIENT of the server:

${publicKey}

  Private key. Save this line as a file away from the server, twice. Without it, nobody can open your backups:

${privateKey}

`)
  },
}
