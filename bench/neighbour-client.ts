// The two users of bench/neighbour, as its processes know them, and how a process asks the service.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Person {
  readonly token: string
  readonly party: string
}

/** The scene that all processes of a run share; in a file of its folder. */
export interface Scene {
  readonly url: string
  readonly alice: Person
  readonly bob: Person
  readonly operator: Person
  /** Takes payments without being asked. */
  readonly receiver: string
  readonly dso: string
  /** The factory with which orders to pay are made. */
  readonly factory: { readonly contractId: string; readonly blob: string }
}

/** Attacks of alice; `quiet` is none. */
export const ATTACKS = [
  'texts',
  'offers',
  'orders',
  'proposals',
  'delegations',
  'large commands',
  'refused commands',
  'slow readers',
  'streams',
  'silent streams',
  'small commands',
  'anonymous requests',
  'pages',
] as const
export type Attack = (typeof ATTACKS)[number]

export function sceneFile(folder: string): string {
  return join(folder, 'scene.json')
}

export function readScene(folder: string): Scene {
  return JSON.parse(readFileSync(sceneFile(folder), 'utf8'))
}
