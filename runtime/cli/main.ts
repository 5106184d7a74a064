#!/usr/bin/env node
// The entry of `ledgerwright`: checks the Node version, turns the compile cache on, and only then
// loads anything else.
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'

const GENERATING: ReadonlySet<string> = new Set(['generate', 'check'])

/**
 * The generator makes much that dies young: V8 would collect it 400 times in two seconds. It asks
 * for no more than this first growth (codegen/cli/generate.ts), and only at the start is it to be
 * had.
 */
const YOUNG = '--semi-space-growth-factor=4'
/**
 * Hardly any function of one run is called so often that optimising it pays: a quarter of the CPU
 * time of a run went into that. What runs 25 times as often as V8 asks for is optimised still.
 */
const SHORT_RUN = [
  '--invocation-count-for-maglev=10000',
  '--invocation-count-for-maglev-osr=2000',
  '--invocation-count-for-turbofan=30000',
]

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`ledgerwright needs Node 22.18 or newer; this is ${process.versions.node}\n`)
  process.exitCode = 1
} else {
  module.enableCompileCache()
  const [, , command = '', ...options] = process.argv
  if (GENERATING.has(command)) {
    setFlagsFromString(YOUNG)
    if (!options.includes('--watch')) SHORT_RUN.forEach((flag) => setFlagsFromString(flag))
  }
  const { main } = await import('./program.ts')
  await main(process.argv)
}
