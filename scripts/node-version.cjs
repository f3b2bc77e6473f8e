'use strict'

/**
 * Exits with an error message if Node is too old to run TypeScript. It is loaded before everything else (`node --require`),
 * so it uses only syntax of old versions of Node.
 */
const needed = 24
const [major, minor] = process.versions.node.split('.')
if (Number(major) < needed) {
  process.stderr.write(`Hither needs Node ${needed} or newer (this is ${major}.${minor}).\n`)
  process.exit(1)
}
