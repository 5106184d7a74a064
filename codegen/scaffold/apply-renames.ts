// Applies what the documents rename to hand-written code, and gathers the places that only a person
// can judge.
import ts from 'typescript'
import type { OperationIr } from '../ir.ts'
import { edit } from './patch.ts'
import type { Edits } from './patch.ts'
import type { HandlersLock } from './lock.ts'
import { placeOf } from './module.ts'
import type { FilePlace, Module } from './module.ts'
import { loadMorph } from './morph.ts'
import type { Morph } from './morph.ts'
import type { Held, InterfacePlan } from './plan.ts'
import type { HandProject } from './project.ts'
import { renameMember, replaceName, typeKeys } from './rename-members.ts'
import { mayName, renameTypes } from './rename-types.ts'
import type { NameChange } from './rename-types.ts'
import { readRenames, toldRenames, typeRenames } from './renames.ts'
import type { ReadRename } from './renames.ts'
import type { Renamed } from './report.ts'
import { styleOf } from './style.ts'
import { functionOf } from './values.ts'

interface AppliedRenames {
  readonly renamed: readonly Renamed[]
  readonly unsure: readonly Renamed[]
}

/** Loads ts-morph once, when the first name needs it. */
type LazyMorph = () => Promise<Morph>

/** Adds every renaming to `edits`. */
export async function applyRenames(
  project: HandProject,
  plans: readonly InterfacePlan[],
  lock: HandlersLock,
  edits: Edits,
): Promise<AppliedRenames> {
  let loading: Promise<Morph> | undefined
  const morph: LazyMorph = () => (loading ??= loadMorph())
  const members = renameOperations(project, plans, edits)
  const types = await renameAllTypes(project, plans, edits, morph)
  const reads = await renameAllReads(plans, lock, { project, edits, morph })
  const unsure = new Map(reads.unsure.map((one) => [JSON.stringify(one), one]))
  return { renamed: [...members, ...types, ...reads.renamed], unsure: [...unsure.values()] }
}

function renameOperations(
  project: HandProject,
  plans: readonly InterfacePlan[],
  edits: Edits,
): readonly Renamed[] {
  const wanted = plans.flatMap(({ ir, renames }) =>
    renames.map(({ from, operation }) => {
      return { interface: ir.name, from, to: operation.operationId }
    }),
  )
  if (wanted.length === 0) return []
  const members = plans.flatMap(({ renames, held }) =>
    renames.flatMap(({ from, operation }) => {
      return (held.get(operation.operationId) ?? []).map(
        ({ object: { module }, member }): Renamed => {
          edit(edits, module, renameMember(module, member, operation.operationId, styleOf(module)))
          return {
            kind: 'operation',
            from,
            to: operation.operationId,
            at: placeOf(module, member.node),
          }
        },
      )
    }),
  )
  for (const module of project.mentioning((text) => text.includes('Handlers'))) {
    for (const key of typeKeys(project, module)) {
      const to = wanted.find(
        (one) => one.interface === key.interface && one.from === key.operationId,
      )?.to
      if (to !== undefined) edit(edits, key.module, replaceName(key.module, key.node.literal, to))
    }
  }
  return members
}

async function renameAllTypes(
  project: HandProject,
  plans: readonly InterfacePlan[],
  edits: Edits,
  morph: LazyMorph,
): Promise<readonly Renamed[]> {
  const renames = plans.flatMap(({ ir }) => typeRenames(ir))
  const found: Renamed[] = []
  if (renames.length === 0) return found
  for (const module of project.mentioning(
    (text) => text.includes('.gen') && renames.some(({ from }) => text.includes(from)),
  )) {
    const here = renames.filter((one) => mayName(module, one))
    if (here.length === 0) continue
    for (const change of renameTypes(project, module, here, await morph()))
      found.push(apply(module, change, 'type', edits))
  }
  return found
}

function apply(
  module: Module,
  { patches, from, to }: NameChange,
  kind: Renamed['kind'],
  edits: Edits,
): Renamed {
  edit(edits, module, ...patches)
  return { kind, from, to, at: offsetPlace(module, patches.at(-1)?.at ?? 0) }
}

function offsetPlace({ file, tree }: Module, offset: number): FilePlace {
  const { line, character } = tree.getLineAndCharacterOfPosition(offset)
  return { file, line: line + 1, column: character + 1 }
}

interface Reads {
  readonly renamed: Renamed[]
  readonly unsure: Renamed[]
}

interface Renaming {
  readonly project: HandProject
  readonly edits: Edits
  readonly morph: LazyMorph
}

async function renameAllReads(
  plans: readonly InterfacePlan[],
  lock: HandlersLock,
  renaming: Renaming,
): Promise<Reads> {
  const reads: Reads = { renamed: [], unsure: [] }
  for (const plan of plans) {
    for (const operation of plan.ir.operations) {
      const renames = readRenames(plan.ir, operation)
      const told = toldRenames(plan.ir, operation)
      if (renames.length === 0 && told.length === 0) continue
      const isNew = isNews(plan, operation, lock)
      for (const held of plan.held.get(operation.operationId) ?? []) {
        const handler = handlerOf(renaming.project, held)
        const isShared =
          handler !== undefined && isUsedElsewhere(renaming.project, plan, operation, handler)
        for (const rename of renames)
          await renameRead(held, isShared ? undefined : handler, rename, isNew, reads, renaming)
        if (isNew) reads.unsure.push(...told.map(({ from, to }) => unsureAt(held, from, to)))
      }
    }
  }
  return reads
}

/**
 * What only a person can judge is told once: in the run in which the types of the operation are
 * others than before.
 */
function isNews(
  { ir, retyped, renames }: InterfacePlan,
  operation: OperationIr,
  lock: HandlersLock,
): boolean {
  const { operationId } = operation
  const from = renames.find((one) => one.operation === operation)?.from ?? operationId
  return (
    lock[ir.name]?.[from] === undefined || retyped.some((one) => one.operationId === operationId)
  )
}

function unsureAt({ object: { module }, member }: Held, from: string, to: string): Renamed {
  return { kind: 'read', from, to, at: placeOf(module, member.node) }
}

async function renameRead(
  held: Held,
  handler: Handler | undefined,
  rename: ReadRename,
  isNew: boolean,
  reads: Reads,
  { edits, morph }: Renaming,
): Promise<void> {
  const { from, to } = rename
  if (handler === undefined) {
    if (isNew) reads.unsure.push(unsureAt(held, from, to))
    return
  }
  const { module, node } = handler
  // A handler without the former name in its text reads nothing by it, whatever it hands on.
  if (!node.getText(module.tree).includes(from) && !isNew) return
  const span = { start: node.getStart(module.tree), end: node.end }
  const { renameReads } = await import('./rename-reads.ts')
  const { changes, doubts } = renameReads(
    (await morph()).sourceOf(module),
    span,
    rename,
    styleOf(module),
  )
  for (const change of changes) reads.renamed.push(apply(module, change, 'read', edits))
  if (isNew)
    reads.unsure.push(
      ...doubts.map((at): Renamed => ({ kind: 'read', from, to, at: offsetPlace(module, at) })),
    )
}

interface Handler {
  readonly module: Module
  readonly node: ts.SignatureDeclaration
}

/** The function of a member: in place, or the one that its name means. */
function handlerOf(
  project: HandProject,
  { object: { module }, member: { node } }: Held,
): Handler | undefined {
  if (ts.isMethodDeclaration(node)) return { module, node }
  if (ts.isShorthandPropertyAssignment(node)) return functionOf(project, module, node.name)
  return ts.isPropertyAssignment(node) ? functionOf(project, module, node.initializer) : undefined
}

/** True when a function serves another operation too, whose input has other names. */
function isUsedElsewhere(
  project: HandProject,
  { held }: InterfacePlan,
  operation: OperationIr,
  { node }: Handler,
): boolean {
  const others = [...held]
    .filter(([operationId]) => operationId !== operation.operationId)
    .flatMap(([, found]) => found)
  return others.some((one) => handlerOf(project, one)?.node === node)
}
