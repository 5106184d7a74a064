// Writes skeletons of the operations that have no handler: into the objects of their neighbours, or
// into a new file.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InterfaceIr, OperationIr } from '../ir.ts'
import { fields } from '../values.ts'
import { edit } from './patch.ts'
import type { Edits } from './patch.ts'
import { importNotWritten, relativeSpecifier } from './imports.ts'
import { addKey, insertMembers } from './insert.ts'
import { placeOf } from './module.ts'
import { spotFor } from './neighbours.ts'
import type { Spot } from './neighbours.ts'
import { newHandlersFile, newHandlersText } from './new-file.ts'
import type { HandlerObject, Member } from './objects.ts'
import type { InterfacePlan } from './plan.ts'
import type { HandProject } from './project.ts'
import type { HandlerPlace } from './report.ts'
import { shapeOf, skeletons } from './skeleton.ts'
import { HOUSE_STYLE, styleOf } from './style.ts'
import type { Style } from './style.ts'

/**
 * The module that exports NotWritten: as a specifier, or as an absolute file where the project is
 * ours.
 */
type HttpModule = { readonly specifier: string } | { readonly file: string }

interface Added {
  readonly added: readonly HandlerPlace[]
  /** Texts of new files by absolute path. */
  readonly created: ReadonlyMap<string, string>
}

/** The package by its name, except in its own source, where a package does not import itself. */
export function httpModule(root: string): HttpModule {
  const manifest = join(root, 'package.json')
  const name = existsSync(manifest)
    ? fields(JSON.parse(readFileSync(manifest, 'utf8')))['name']
    : undefined
  const own = fileURLToPath(new URL('../../runtime/http/index.ts', import.meta.url))
  return name === 'ledgerwright' && existsSync(own)
    ? { file: own }
    : { specifier: 'ledgerwright/http' }
}

/**
 * Adds every missing operation of every interface to `edits`, or to a new file where an interface
 * has no object.
 */
export function addMissing(
  project: HandProject,
  plans: readonly InterfacePlan[],
  handlers: readonly string[] | undefined,
  http: HttpModule,
  edits: Edits,
): Added {
  const added: HandlerPlace[] = []
  const created = new Map<string, string>()
  for (const plan of plans.filter(({ missing }) => missing.length > 0)) {
    const spots = new Map(plan.missing.map((operation) => [operation, spotFor(plan, operation)]))
    const byObject = Map.groupBy(plan.missing, (operation) => spots.get(operation)?.object)
    for (const [object, operations] of byObject) {
      if (object !== undefined)
        addToObject({ plan, object, operations, spots, project, http }, edits, added)
      else createFile({ project, plan, handlers, http }, created, added)
    }
  }
  return { added, created }
}

interface Adding {
  readonly project: HandProject
  readonly plan: InterfacePlan
  readonly object: HandlerObject
  readonly operations: readonly OperationIr[]
  readonly spots: ReadonlyMap<OperationIr, Spot | undefined>
  readonly http: HttpModule
}

function addToObject(
  { project, plan: { ir }, object, operations, spots, http }: Adding,
  edits: Edits,
  added: HandlerPlace[],
): void {
  const { module } = object
  const style = styleOf(module)
  const shape = shapeOf(object)
  const { name: notWritten, patches } = importNotWritten(
    module,
    specifierFrom(module.file, http, style),
    style,
  )
  const text = { style, shape, notWritten, types: typesFile(project, ir) }
  const groups = [...Map.groupBy(operations, (operation) => spots.get(operation)?.after)].map(
    ([after, some]) => ({ after, members: skeletons(ir, some, text) }),
  )
  edit(edits, module, ...patches, ...insertMembers(object, groups, style, shape))
  addKeys(ir, object, operations, spots, edits)
  for (const operation of operations) {
    const beside = spots.get(operation)?.after?.node ?? object.node
    added.push({
      interface: ir.name,
      operationId: operation.operationId,
      at: placeOf(module, beside),
    })
  }
}

/** The path of the types' file, as seen from the project. */
function typesFile({ root, out }: HandProject, { name }: InterfaceIr): string {
  return relative(root, join(out, name, 'handlers.gen.ts')).replaceAll('\\', '/')
}

function addKeys(
  ir: InterfaceIr,
  object: HandlerObject,
  operations: readonly OperationIr[],
  spots: Adding['spots'],
  edits: Edits,
): void {
  const keys = object.types.find((type) => type.interface === ir.name)?.picked
  if (keys === undefined) return
  for (const operation of operations) {
    const neighbour: Member | undefined = spots.get(operation)?.after
    edit(
      edits,
      keys.module,
      ...addKey(keys, operation.operationId, neighbour?.name, styleOf(keys.module)),
    )
  }
}

function specifierFrom(file: string, http: HttpModule, style: Style): string {
  return 'specifier' in http ? http.specifier : relativeSpecifier(file, http.file, style.ending)
}

interface Creating {
  readonly project: HandProject
  readonly plan: InterfacePlan
  readonly handlers: readonly string[] | undefined
  readonly http: HttpModule
}

/** Written as the project's other files are. */
function createFile(
  { project, plan: { ir }, handlers, http }: Creating,
  created: Map<string, string>,
  added: HandlerPlace[],
): void {
  const [sample] = project.modules
  const style =
    sample === undefined ? { ...HOUSE_STYLE, ending: endingOf(project.root) } : styleOf(sample)
  const file = newHandlersFile(project.root, handlers, ir.name)
  const types = {
    file: join(project.out, ir.name, 'handlers.gen.ts'),
    shown: typesFile(project, ir),
  }
  created.set(
    file,
    newHandlersText({ ir, file, types, http: specifierFrom(file, http, style), style }),
  )
  for (const { operationId } of ir.operations)
    added.push({ interface: ir.name, operationId, at: { file, line: 1, column: 1 } })
}

/**
 * A project that shows no import of its own may write `.ts` in one where its compiler's settings
 * say so, or where there are none.
 */
function endingOf(root: string): string {
  const config = join(root, 'tsconfig.json')
  if (!existsSync(config)) return '.ts'
  const allows = /"(?:allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/u
  return allows.test(readFileSync(config, 'utf8')) ? '.ts' : '.js'
}
