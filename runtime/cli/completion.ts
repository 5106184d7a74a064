// `completion`: what a shell needs to complete the command line, made from the commands themselves.
// Each script walks the words before the cursor to the command that they name, and offers its
// commands and options.
import type { Command } from 'commander'
import { CommandError } from '../host/problem.ts'
import { EXIT } from './outcome.ts'

/** A word that can follow, and what it does. */
interface Offer {
  readonly word: string
  readonly summary: string
}

/** A command as its path, `network time`, with what can follow it. */
interface Place {
  readonly path: string
  readonly commands: readonly Offer[]
  readonly options: readonly Offer[]
}

const SHELLS: Readonly<Record<string, (name: string, places: readonly Place[]) => string>> = {
  bash,
  zsh,
  fish,
}

/** Prints the script of a shell. Throws for another than bash, zsh and fish. */
export function printCompletion(program: Command, shell: string): void {
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
  if (script === undefined)
    throw new CommandError(`"${shell}" is not one of ${Object.keys(SHELLS).join(', ')}`, EXIT.usage)
  process.stdout.write(script(program.name(), placesOf(program, '')))
}

function placesOf(command: Command, path: string): readonly Place[] {
  const here: Place = {
    path,
    commands: command.commands.map((one) => ({
      word: one.name(),
      summary: one.description(),
    })),
    options: [
      ...command.options.map(({ long, description }) => ({
        word: long ?? '',
        summary: description,
      })),
      { word: '--help', summary: 'show what there is' },
    ],
  }
  const below = command.commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`.trim()))
  return [here, ...below]
}

function bash(name: string, places: readonly Place[]): string {
  return `${walk(name, places, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
_${name}() {
  _${name}_words
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`
}

function zsh(name: string, places: readonly Place[]): string {
  return `#compdef ${name}
${walk(name, places, '"${(@)words[2,CURRENT-1]}"').replaceAll('words=', 'offers=')}
_${name}() {
  local offers
  _${name}_words
  compadd -- \${=offers}
  _files
}
compdef _${name} ${name}
`
}

/** A function that leaves in `words` what can follow the words before the cursor. */
function walk(name: string, places: readonly Place[], before: string): string {
  const known = places
    .filter(({ path }) => path !== '')
    .map(({ path }) => `"${path.includes(' ') ? path : ` ${path}`}"`)
  const cases = places.map(
    ({ path, commands, options }) =>
      `    "${path}") words="${[...commands, ...options].map(({ word }) => word).join(' ')}" ;;`,
  )
  return `_${name}_words() {
  local at="" word
  for word in ${before}; do
    case "$at $word" in
      ${known.join(' | ')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
}`
}

function fish(name: string, places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options }) => {
    const words = path.split(' ').filter((word) => word !== '')
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`)
    const next = commands.map(({ word }) => word).join(' ')
    const unseen = next === '' ? [] : [`not __fish_seen_subcommand_from ${next}`]
    const condition = [...seen, ...unseen].join('; and ')
    const offer = (what: string, { summary }: Offer): string =>
      `complete -c ${name} -n ${quoted(condition)} ${what} -d ${quoted(summary)}`
    return [
      ...commands.map((one) => offer(`-f -a ${one.word}`, one)),
      ...options.map((one) => offer(`-l ${one.word.slice(2)}`, one)),
    ]
  })
  return `${lines.join('\n')}\n`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
