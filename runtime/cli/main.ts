#!/usr/bin/env node
// The entry of `ledgerwright`: checks the Node version, turns the compile cache on, and only then
// loads anything else.
import module from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`ledgerwright needs Node 22.18 or newer; this is ${process.versions.node}\n`)
  process.exitCode = 1
} else {
  module.enableCompileCache()
  const { main } = await import('./program.ts')
  await main(process.argv)
}
