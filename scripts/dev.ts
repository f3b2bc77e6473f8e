import { follow, root, start, tool } from './run.ts'

/** `npm run dev`: the server restarts on a change, the web app reloads hot; open the address that Vite prints. */
const server = start(process.execPath, [
  '--watch-path=server/src',
  '--watch-path=contract/src',
  `${root}server/src/main.ts`,
])
const web = start(tool('vite'), [], { cwd: `${root}web` })
web.once('exit', () => server.kill('SIGTERM'))
server.once('exit', () => web.kill('SIGTERM'))
follow(web)
