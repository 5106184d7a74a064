// Applies what the documents rename to hand-written code, and gathers the places that only a person
// can judge.
import ts from 'typescript'
import type { OperationIr } from '../ir.ts'
import { edit } from './patch.ts'
import type { Edits } from './patch.ts'
import type { HandlersLock } from './lock.ts'
import { placeAt, placeOf } from './module.ts'
import type { Module } from './module.ts'
import type { Held, InterfacePlan } from './plan.ts'
import type { HandProject } from './project.ts'
import { renameMember, replaceName, typeKeys } from './rename-members.ts'
import { renameReads } from './rename-reads.ts'
import { renameTypes } from './rename-types.ts'
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

/** Adds every renaming to `edits`. */
export function applyRenames(
  project: HandProject,
  plans: readonly InterfacePlan[],
  lock: HandlersLock,
  edits: Edits,
): AppliedRenames {
  const members = renameOperations(project, plans, edits)
  const types = renameAllTypes(project, plans, edits)
  const reads = renameAllReads(plans, lock, project, edits)
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

function renameAllTypes(
  project: HandProject,
  plans: readonly InterfacePlan[],
  edits: Edits,
): readonly Renamed[] {
  const renames = plans.flatMap(({ ir }) => typeRenames(ir))
  return project
    .mentioning((text) => text.includes('.gen') && renames.some(({ from }) => text.includes(from)))
    .flatMap((module) =>
      renameTypes(project, module, renames).map((one) => apply(module, one, 'type', edits)),
    )
}

function apply(
  module: Module,
  { patches, from, to }: NameChange,
  kind: Renamed['kind'],
  edits: Edits,
): Renamed {
  edit(edits, module, ...patches)
  return { kind, from, to, at: placeAt(module, patches.at(-1)?.at ?? 0) }
}

interface Reads {
  readonly renamed: Renamed[]
  readonly unsure: Renamed[]
}

function renameAllReads(
  plans: readonly InterfacePlan[],
  lock: HandlersLock,
  project: HandProject,
  edits: Edits,
): Reads {
  const reads: Reads = { renamed: [], unsure: [] }
  for (const plan of plans) {
    for (const operation of plan.ir.operations) {
      const renames = readRenames(plan.ir, operation)
      const told = toldRenames(plan.ir, operation)
      if (renames.length === 0 && told.length === 0) continue
      const isNew = isNews(plan, operation, lock)
      for (const held of plan.held.get(operation.operationId) ?? []) {
        const handler = handlerOf(project, held)
        const isShared = handler !== undefined && isUsedElsewhere(project, plan, operation, handler)
        for (const rename of renames)
          renameRead(held, isShared ? undefined : handler, rename, isNew, reads, edits)
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

function renameRead(
  held: Held,
  handler: Handler | undefined,
  rename: ReadRename,
  isNew: boolean,
  reads: Reads,
  edits: Edits,
): void {
  const { from, to } = rename
  if (handler === undefined) {
    if (isNew) reads.unsure.push(unsureAt(held, from, to))
    return
  }
  const { module, node } = handler
  // A handler without the former name in its text reads nothing by it, whatever it hands on.
  if (!node.getText(module.tree).includes(from) && !isNew) return
  const { changes, doubts } = renameReads(module, node, rename, styleOf(module))
  for (const change of changes) reads.renamed.push(apply(module, change, 'read', edits))
  if (isNew)
    reads.unsure.push(
      ...doubts.map((at): Renamed => ({ kind: 'read', from, to, at: placeAt(module, at) })),
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
