import { follow, root, start, tool } from './run.ts'

/** `npm run dev`: restarts the server on changes and hot-reloads the web app. Open the address that Vite prints. */
const server = start(process.execPath, [
  '--watch-path=server/src',
  '--watch-path=contract/src',
  `${root}server/src/main.ts`,
])
const web = start(tool('vite'), [], { cwd: `${root}web` })
web.once('exit', () => server.kill('SIGTERM'))
server.once('exit', () => web.kill('SIGTERM'))
follow(web)
