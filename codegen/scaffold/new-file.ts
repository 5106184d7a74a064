// The file that an interface gets whose handlers are nowhere yet: all of them, in groups.
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { InterfaceIr, OperationIr } from '../ir.ts'
import { relativeSpecifier } from './imports.ts'
import { oneLine, skeletons } from './skeleton.ts'
import { isIdentifier } from './style.ts'
import type { Style } from './style.ts'

interface NewFileInput {
  readonly ir: InterfaceIr
  /** Absolute. */
  readonly file: string
  /** The generated file with the types: absolute, and as seen from the project. */
  readonly types: { readonly file: string; readonly shown: string }
  /** Module that exports NotWritten and HandlerContext. */
  readonly http: string
  readonly style: Style
}

/**
 * Where an interface's first handlers go: the first place that the configuration names, else
 * src/handlers. Absolute, free.
 */
export function newHandlersFile(
  root: string,
  handlers: readonly string[] | undefined,
  name: string,
): string {
  const place = handlers?.[0] ?? join(root, 'src/handlers')
  const isFile = extname(place) !== '' && !(existsSync(place) && statSync(place).isDirectory())
  const wanted = isFile ? place : join(place, `${name}.ts`)
  const folder = dirname(wanted)
  const stem = basename(wanted, extname(wanted))
  const names = [wanted, join(folder, `${stem}-handlers.ts`), join(folder, `${name}-${stem}.ts`)]
  for (let count = 2; ; count += 1) {
    const free = names.find((file) => !existsSync(file))
    if (free !== undefined) return resolve(free)
    names.push(join(folder, `${stem}-handlers-${count}.ts`))
  }
}

/** Text of the file. */
export function newHandlersText({ ir, file, types, http, style }: NewFileInput): string {
  const specifier = relativeSpecifier(file, types.file, style.ending)
  const { quote, semicolon, eol, indent } = style
  const shape = { isMethod: false, isSpaced: false }
  const groups = groupsOf(ir).map(([title, operations]) => {
    const members = skeletons(ir, operations, {
      style,
      shape,
      notWritten: 'NotWritten',
      types: types.shown,
    })
    const heading = title === '' ? [] : [`${indent}// ${title}`]
    return [
      ...heading,
      ...members.flatMap((lines) =>
        [...lines.slice(0, -1), `${lines.at(-1) ?? ''},`].map((line) => indent + line),
      ),
    ].join(eol)
  })
  return [
    `// What ${oneLine(ir.title)} answers. Whatever throws NotWritten is answered with 501, or by an example where these are on.`,
    `import { NotWritten } from ${quote}${http}${quote}${semicolon}`,
    `import type { HandlerContext } from ${quote}${http}${quote}${semicolon}`,
    `import type { Handlers } from ${quote}${specifier}${quote}${semicolon}`,
    '',
    '/** By operation id: from decoded, checked input to one of the replies that the document declares. */',
    `export const ${variableName(ir.name)}: Handlers<HandlerContext<unknown>> = {`,
    groups.join(`${eol}${eol}`),
    `}${semicolon}`,
    '',
  ].join(eol)
}

/**
 * Operations by their first tag, in the order of the document; one group without title when that
 * says nothing.
 */
function groupsOf(ir: InterfaceIr): readonly (readonly [string, readonly OperationIr[]])[] {
  const groups = Map.groupBy(ir.operations, ({ tags, path }) =>
    oneLine(tags[0] ?? path.split('/')[1] ?? ''),
  )
  return groups.size > 1 ? [...groups] : [['', ir.operations]]
}

function variableName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/u).filter((word) => word !== '')
  const joined = words
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
  return isIdentifier(`${joined}Handlers`) ? `${joined}Handlers` : 'handlers'
}
