// Modules of the contract language as a test writes them: a definition a line, choices and methods
// after their template or interface.
//
//     record Deal owner: Party, note: Optional Text
//     template Deal key Party
//     choice Close M:Reason -> Int64
//     interface Shown view M:T requires M:Other
//     method owner Party
import assert from 'node:assert/strict'
import { formsOf } from './forms.ts'
import type { Form } from './forms.ts'
import { archive } from './dar-writer.ts'
import type {
  ArchiveFile,
  ChoiceSpec,
  DataSpec,
  FieldSpec,
  InterfaceSpec,
  ModuleSpec,
  PackageSpec,
  TemplateSpec,
  TypeSpec,
} from './dar-writer.ts'

const BUILTINS: Readonly<Record<string, number>> = {
  Unit: 0,
  Int64: 2,
  Party: 6,
  Text: 7,
  Optional: 9,
  List: 10,
}

/** `M:Name` is a type, of another package before its `@id`; `~M:Name` is a synonym. */
function typeOf(form: Form = ''): TypeSpec {
  if (typeof form !== 'string') {
    const [head, ...args] = form
    return args.length === 0
      ? typeOf(head)
      : { ...typeOf(head), args: args.map((arg) => typeOf(arg)) }
  }
  const builtin = BUILTINS[form]
  if (builtin !== undefined) return { builtin }
  if (!form.includes(':')) return { variable: form }
  if (form.startsWith('~')) return { synonym: form.slice(1) }
  const [constructed = '', id] = form.split('@')
  return id === undefined ? { constructed } : { constructed, package: id }
}

export function type(text: string): TypeSpec {
  return typeOf(formsOf(`(${text})`)[0])
}

export function fields(text: string): readonly FieldSpec[] {
  const named = text.split(', ').map((each) => each.split(': '))
  return text === '' ? [] : named.map(([name = '', of = '']) => [name, type(of)])
}

const DEFINITION =
  /^(?<hidden>hidden )?(?<kind>[a-z]+) (?<name>\w+)(?:\((?<parameters>[^)]*)\))?(?: (?<rest>.*))?$/
const TEMPLATE = /^(?:key (?<key>\S+))? ?(?:implements (?<of>\S+))?$/
const CHOICE = /^(?<argument>.*?)(?:-> (?<result>.+))?$/

function templateOf(name: string, rest: string): TemplateSpec {
  const { key, of } = TEMPLATE.exec(rest)?.groups ?? {}
  return {
    name,
    ...(key === undefined ? {} : { key: type(key) }),
    ...(of === undefined ? {} : { interfaces: [type(of)] }),
  }
}

function choiceOf(name: string, rest: string): ChoiceSpec {
  const { argument = '', result } = CHOICE.exec(rest)?.groups ?? {}
  return {
    name,
    ...(argument === '' ? {} : { argument: type(argument) }),
    ...(result === undefined ? {} : { result: type(result) }),
  }
}

function interfaceOf(name: string, rest: string): InterfaceSpec {
  const { view, requires } =
    /^(?:view (?<view>\S+))? ?(?:requires (?<requires>\S+))?$/.exec(rest)?.groups ?? {}
  return {
    name,
    ...(view === undefined ? {} : { view: type(view) }),
    ...(requires === undefined ? {} : { requires: [type(requires)] }),
  }
}

/** Adds a choice or a method to the last of its owners. */
function member<T extends TemplateSpec | InterfaceSpec>(
  owners: T[],
  line: string,
  { kind, name = '', rest = '' }: Readonly<Record<string, string | undefined>>,
): void {
  const owner = owners.pop() ?? assert.fail(`whose is it? ${line}`)
  const { choices = [] } = owner
  const methods = 'methods' in owner ? (owner.methods ?? []) : []
  owners.push(
    kind === 'method'
      ? { ...owner, methods: [...methods, [name, type(rest)]] }
      : { ...owner, choices: [...choices, choiceOf(name, rest)] },
  )
}

/** The text's module. */
export function moduleOf(name: string, text: string): ModuleSpec {
  const module = {
    name,
    dataTypes: new Array<DataSpec>(),
    synonyms: new Array<NonNullable<ModuleSpec['synonyms']>[number]>(),
    templates: new Array<TemplateSpec>(),
    interfaces: new Array<InterfaceSpec>(),
    exceptions: new Array<string>(),
  }
  let isInterface = false
  const lines = text.split('\n').map((line) => line.trim())
  for (const line of lines.filter((each) => each !== '')) {
    const parts = DEFINITION.exec(line)?.groups ?? assert.fail(`no definition: ${line}`)
    const { kind, name: defined = '', rest = '' } = parts
    const parameters = parts['parameters']?.split(', ') ?? []
    const about = { name: defined, parameters, serializable: parts['hidden'] === undefined }
    if (kind === 'record') module.dataTypes.push({ ...about, record: fields(rest) })
    else if (kind === 'variant') module.dataTypes.push({ ...about, variant: fields(rest) })
    else if (kind === 'enum')
      module.dataTypes.push({ ...about, enum: rest === '' ? [] : rest.split(' ') })
    else if (kind === 'synonym')
      module.synonyms.push({ name: defined, parameters, type: type(rest.slice(2)) })
    else if (kind === 'template') module.templates.push(templateOf(defined, rest))
    else if (kind === 'interface') module.interfaces.push(interfaceOf(defined, rest))
    else if (kind === 'exception') module.exceptions.push(defined)
    else if (isInterface) member(module.interfaces, line, parts)
    else member(module.templates, line, parts)
    if (kind === 'interface' || kind === 'template') isInterface = kind === 'interface'
  }
  return module
}

/** A package of one module, or of none where there is no text. */
export function packageOf(
  name: string,
  version: string,
  text = '',
  more: Partial<PackageSpec> & { readonly module?: string } = {},
): PackageSpec {
  const { module = 'M', ...rest } = more
  return { name, version, modules: text === '' ? [] : [moduleOf(module, text)], ...rest }
}

export function archiveOfText(...given: Parameters<typeof packageOf>): ArchiveFile {
  return archive(packageOf(...given))
}
