#!/usr/bin/env node
// `npm create ledgerwright` is `ledgerwright init` of the package that this one depends on.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const manifest = createRequire(import.meta.url).resolve('ledgerwright/package.json')
const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
const command = join(dirname(manifest), bin.ledgerwright)
const { status, error } = spawnSync(process.execPath, [command, 'init', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
if (error !== undefined) throw error
process.exitCode = status ?? 1
