// Completion of the command line as a shell asks for it: bash runs the script; of the others the
// script names what there is.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { MAIN, run } from './cli-kit.ts'

const place = { cwd: process.cwd() }

const scriptOf = async (shell: string): Promise<string> =>
  (await run(MAIN, ['completion', shell], place)).stdout

describe('completion', () => {
  let script = ''
  before(async () => {
    script = await scriptOf('bash')
  })

  /** Bash's offers after these words, the last of which is being typed. */
  function offered(...words: readonly string[]): readonly string[] {
    const typed = ['ledgerwright', ...words].map((word) => `'${word}'`).join(' ')
    const asked = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _ledgerwright; printf '%s\\n' "\${COMPREPLY[@]}"`
    const told = execFileSync('bash', ['-c', `${script}\n${asked}`], { encoding: 'utf8' })
    return told.split('\n').filter((line) => line !== '')
  }

  test('offers commands, their commands, and options, also of the generator', () => {
    assert.deepEqual(offered('ser'), ['serve'])
    assert.deepEqual(offered('network', 'sna'), ['snapshot', 'snapshots'])
    assert.deepEqual(offered('network', 'time', 'a'), ['advance'])
    assert.deepEqual(offered('network', 'time', 'advance', '30d', '--us'), ['--user'])
    assert.deepEqual(offered('token', '--us'), ['--user'])
    assert.deepEqual(offered('generate', '--wa'), ['--watch'])
  })

  test('zsh and fish are told the same; another shell is refused', async () => {
    const zsh = await scriptOf('zsh')
    assert.match(zsh, /^#compdef ledgerwright\n/)
    assert.match(zsh, /"network time"\) offers="show set advance --help" ;;/)
    const fish = await scriptOf('fish')
    assert.match(fish, /__fish_seen_subcommand_from network.* -f -a snapshot -d 'save/)
    const { code, stderr } = await run(MAIN, ['completion', 'tcsh'], place)
    assert.equal(code, 2)
    assert.match(stderr, /^ledgerwright: "tcsh" is not one of bash, zsh, fish\n$/)
  })
})
