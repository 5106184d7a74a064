// Real input: every public document that lies beside the checkout, whole and cut into files, from
// the command line to a strict compile.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { loadInterface } from '../../codegen/index.ts'
import { LOCK_FILE } from '../../codegen/plan/lock.ts'
import {
  contents,
  NO_PUBLIC_DOCUMENTS,
  PROJECT,
  PUBLIC_DOCUMENTS,
  put,
  tempFolder,
  typeCheck,
} from './generator-kit.ts'
import { splitDocument } from './split-document.ts'
import { assertTyped } from './typed-kit.ts'

/** Runs the command as a user does; its standard output. */
function command(...args: readonly string[]): string {
  const run = spawnSync(process.execPath, [join(PROJECT, 'runtime/cli/main.ts'), ...args], {
    encoding: 'utf8',
    cwd: PROJECT,
  })
  assert.equal(run.status, 0, run.stderr)
  return run.stdout
}

test(
  'all public documents generate, whole and split alike, to the byte, and compile strictly',
  { skip: NO_PUBLIC_DOCUMENTS, timeout: 300_000 },
  (t) => {
    const folder = tempFolder(t)
    const whole = PUBLIC_DOCUMENTS
    const split = whole.map((file) => {
      const home = join(folder, 'split', basename(file, '.yaml'))
      put(home, splitDocument(basename(file), readFileSync(file, 'utf8')))
      return join(home, basename(file))
    })
    t.diagnostic(
      command('generate', '--spec', ...whole, '--out', join(folder, 'whole'))
        .trim()
        .split('\n')
        .at(-1) ?? '',
    )
    t.diagnostic(
      command('generate', '--spec', ...split, '--out', join(folder, 'parts'))
        .trim()
        .split('\n')
        .at(-1) ?? '',
    )
    const outputs = [contents(join(folder, 'whole')), contents(join(folder, 'parts'))].map(
      (files) => Object.fromEntries(Object.entries(files).filter(([file]) => file !== LOCK_FILE)),
    )
    assert.deepEqual(outputs[1], outputs[0])
    t.diagnostic(command('generate', '--spec', ...whole, '--out', join(folder, 'whole')).trim())
    assert.equal(typeCheck(join(folder, 'whole')), '')
    for (const file of whole) {
      const loaded = loadInterface(file)
      assertTyped(loaded, contents(join(folder, 'whole', loaded.ir.name)))
    }
  },
)
