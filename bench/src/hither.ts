import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serverOptions } from '../../scripts/server-options.ts'
import { type Measured, start } from './process.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** Starts the server of this checkout, or of the one in `folder`, with the options of Node with which it runs for users. */
export function startHither(
  environment: Record<string, string>,
  {
    folder = repository,
    nodeOptions = [],
    onOutput,
  }: { folder?: string; nodeOptions?: readonly string[]; onOutput?: (text: string) => void } = {},
): Promise<Measured> {
  return start(resolve(folder, 'server/src/main.ts'), {
    ready: 'Hither is running',
    environment,
    nodeOptions: [...serverOptions, ...nodeOptions],
    ...(onOutput && { onOutput }),
  })
}
