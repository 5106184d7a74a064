// The operations of a development network over HTTP, under /development: the profile has them, no
// document does. Whoever may move the clock, the validator's operator, may call them; whoever may
// list packages is told what runs of them.
import type { Readable } from 'node:stream'
import type Router from '@koa/router'
import type { Context } from 'koa'
import { z } from 'zod'
import { credentialsOf } from '../../http/phases.ts'
import type { AccessGuard, WireOperation } from '../../http/index.ts'
import { isStorageFull } from '../../store/rules.ts'
import type { Opened, ServerParts } from '../opened.ts'
import { DevelopmentControl, DevelopmentRejection } from './control.ts'
import type { Stage } from './control.ts'

export type { Stage } from './control.ts'

/** Adds the routes. */
export type DevelopmentRoutes = (router: Router) => void

const MAX_BODY_BYTES = 65_536
const NO_INPUT = { path: {}, query: {}, headers: {}, cookies: {}, body: undefined }

const bodies = {
  none: z.strictObject({}),
  snapshot: z.strictObject({ name: z.string().optional() }),
  revert: z.strictObject({ snapshot: z.string() }),
  fork: z.strictObject({ backup: z.string().min(1) }),
}

/** An operation of a document whose callers may call others too. */
interface Door {
  readonly operationId: string
  /** Says so to everybody else. */
  readonly refusal: string
}

const OPERATOR: Door = {
  operationId: 'setClock',
  refusal: "only the validator's operator may do this",
}
const READER: Door = { operationId: 'listPackages', refusal: 'this user may not list packages' }

/** Undefined where nothing is served that has an operator. */
export function developmentRoutes<P>(
  parts: ServerParts<P>,
  stage: Stage<P>,
): DevelopmentRoutes | undefined {
  if (guarded(stage.opened(), OPERATOR) === undefined) return undefined
  const control = new DevelopmentControl(parts, stage)
  const post = <B>(router: Router, path: string, body: z.ZodType<B>, act: (given: B) => unknown) =>
    router.post(`/development/${path}`, (context) =>
      answered(context, async () => {
        await admit(context, stage.opened(), OPERATOR)
        return act(await bodyOf(context, body))
      }),
    )
  return (router) => {
    addPackages(router, stage.opened)
    router.get('/development/snapshots', (context) =>
      answered(context, async () => {
        await admit(context, stage.opened(), OPERATOR)
        return { snapshots: await control.snapshots() }
      }),
    )
    post(router, 'snapshots', bodies.snapshot, ({ name }) => control.snapshot(name))
    post(router, 'revert', bodies.revert, ({ snapshot }) => control.revert(snapshot))
    post(router, 'reset', bodies.none, () => control.reset())
    post(router, 'fork', bodies.fork, ({ backup }) => control.fork(backup))
  }
}

/** Routes of another node than the first: for what only that one does, they say where it is. */
export function developmentElsewhere<P>(node: Opened<P>): DevelopmentRoutes {
  return (router) => {
    addPackages(router, () => node)
    router.all(/^\/development\/(snapshots|revert|reset|fork)$/, (context) =>
      answered(context, () =>
        Promise.reject(new Refused(403, 'the network is saved and restored at its first node')),
      ),
    )
  }
}

function addPackages<P>(router: Router, opened: () => Opened<P>): void {
  router.get('/development/packages', (context) =>
    answered(context, async () => {
      await admit(context, opened(), READER)
      return { packages: await opened().packages() }
    }),
  )
}

const FULL = 'The storage is full: nothing can be written until there is space.'

/** A caller who is turned away. */
class Refused extends Error {
  readonly status: 401 | 403

  constructor(status: 401 | 403, message: string) {
    super(message)
    this.status = status
  }
}

async function answered(context: Context, act: () => Promise<unknown>): Promise<void> {
  context.set('Cache-Control', 'no-store')
  try {
    context.body = (await act()) ?? {}
  } catch (error) {
    const refused = isStorageFull(error) ? new DevelopmentRejection(503, FULL) : error
    if (!(refused instanceof DevelopmentRejection || refused instanceof Refused)) throw error
    context.status = refused.status
    context.body = { error: refused.message }
  }
}

interface Guarded<P> {
  readonly guard: AccessGuard<P>
  readonly operation: WireOperation
}

function guarded<P>({ interfaces }: Opened<P>, { operationId }: Door): Guarded<P> | undefined {
  for (const { wire, guard } of interfaces) {
    const operation = wire.operations.find((each) => each.operationId === operationId)
    if (operation !== undefined) return { guard, operation }
  }
  return undefined
}

async function admit<P>({ req }: Context, opened: Opened<P>, door: Door): Promise<void> {
  const found = guarded(opened, door)
  if (found === undefined) throw new Refused(403, 'nobody may do this here')
  const { guard, operation } = found
  const identity = await guard.authenticate(credentialsOf(req), operation)
  if (identity.kind !== 'principal') throw new Refused(401, identity.reason)
  const decision = await guard.authorize(operation, identity, NO_INPUT)
  if (!decision.allowed) throw new Refused(403, door.refusal)
}

async function bodyOf<B>({ req }: Context, shape: z.ZodType<B>): Promise<B> {
  const read = shape.safeParse(jsonOf(await textOf(req)))
  if (read.success) return read.data
  const [first] = read.error.issues
  throw new DevelopmentRejection(
    400,
    ['the body is not as expected:', ...(first?.path ?? []), first?.message ?? ''].join(' '),
  )
}

async function textOf(req: Readable): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of req) {
    const chunk = Buffer.from(part)
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new DevelopmentRejection(400, 'the body is too large')
    parts.push(chunk)
  }
  return Buffer.concat(parts).toString()
}

/** No body is an empty object; what is not JSON is nothing. */
function jsonOf(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return undefined
  }
}
