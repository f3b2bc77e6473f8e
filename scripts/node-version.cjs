'use strict'

/**
 * Ends with one sentence where Node is too old to run TypeScript. Loaded before everything else (`node --require`), so it is
 * written for old versions of Node.
 */
const needed = 24
const [major, minor] = process.versions.node.split('.')
if (Number(major) < needed) {
  process.stderr.write(`Hither needs Node ${needed} or newer (this is ${major}.${minor}).\n`)
  process.exit(1)
}
