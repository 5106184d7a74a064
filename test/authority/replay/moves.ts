// What happens between two times that everything is sent again: people sign and pay, topology
// changes, parties move, ledgers are forked, taken back and begun anew, time passes.
import { MIGHTY } from './ledger.ts'
import type { Ledger } from './ledger.ts'
import { newHolders, serialAfter, topologyOf } from './owner.ts'
import type { Owned, Standing } from './owner.ts'
import { goOn, keepTopology, pastOf, register, settle, use } from './scene.ts'
import type { Saved, Scene } from './scene.ts'
import type { Kept } from './kept.ts'
import {
  askWallet,
  disclose,
  hostedAt,
  signOrder,
  signPayment,
  signPing,
  signSetup,
  signToken,
} from './signing.ts'
import type { Hosted } from './signing.ts'

/** Says what was done. */
type Move = (scene: Scene, ledger: Ledger) => Promise<string>

const COINS = 3
/** How much of what is signed is not used: somebody has it in hand. */
const HELD = 0.4

const MOVES: readonly (readonly [weight: number, name: string, move: Move])[] = [
  [4, 'sign', sign],
  [3, 'wallet', wallet],
  [6, 'topology', topology],
  [2, 'fork', fork],
  [1, 'reset', reset],
  [2, 'save', save],
  [2, 'revert', revert],
  [1, 'restore', restore],
  [2, 'time passes', passTime],
  [1, 'restart', restart],
  [1, 'recreate', recreate],
  [1, 'offboard', offboard],
  [1, 'prune', prune],
]

/** Afterwards, something that was signed is good for nothing. */
const CHANGING: ReadonlySet<string> = new Set(['topology', 'fork', 'revert', 'time passes'])

/** Draws a move and makes it: its name, and what was done. */
export async function move(
  scene: Scene,
): Promise<{ readonly name: string; readonly what: string }> {
  const { dice, ledgers } = scene
  const [name, chosen] = dice.weighted(MOVES.map(([weight, ...rest]) => [weight, rest] as const))
  // Most of it happens at home.
  const [own] = ledgers
  const ledger = own !== undefined && dice.chance(0.5) ? own : dice.pick(ledgers)
  if (CHANGING.has(name)) await signAll(scene, ledger)
  return { name, what: `${ledger.name}: ${await chosen(scene, ledger)}` }
}

/** A new ledger, with coin of the party that has a preapproval. */
export async function begin(scene: Scene, ledger: Ledger): Promise<void> {
  await settle(scene, ledger)
  const { party } = scene.parties.solo
  const solo = hostedAt(scene, ledger, scene.parties.solo)
  const setup = solo && (await signSetup(scene, solo))
  if (setup === undefined || !(await use(scene, ledger.at(0), setup)))
    throw new Error('the party has no preapproval')
  for (let coin = 0; coin < COINS; coin += 1)
    await use(scene, ledger.at(0), await askWallet(scene, ledger, 'pay', party))
}

/** Signs what people have in hand when something changes: nobody sends it before. */
async function signAll(scene: Scene, ledger: Ledger): Promise<void> {
  for (const hosted of hostedOf(scene, ledger)) {
    const { own, standing, place } = hosted
    await signPing(scene, hosted)
    await signToken(scene, hosted)
    const { base } = pastOf(scene, ledger)
    const serial = serialAfter(standing.serial, base)
    const next = { ...standing, serial, mapping: serialAfter(standing.mapping, base) }
    keepTopology(scene, place, topologyOf(own, next, standing.owners.holders, true))
  }
}

function hostedOf(scene: Scene, ledger: Ledger): readonly Hosted[] {
  const { solo, pair } = scene.parties
  return [solo, pair].flatMap((own) => hostedAt(scene, ledger, own) ?? [])
}

/** Uses it, or leaves it in somebody's hand. */
async function finish(
  scene: Scene,
  hosted: Pick<Hosted, 'place'>,
  kept: Kept | undefined,
): Promise<string> {
  if (kept === undefined) return 'nothing'
  if (scene.dice.chance(HELD)) return `${kept.what}, held`
  return `${kept.what}, ${(await use(scene, hosted.place, kept)) ? 'used' : 'refused'}`
}

async function sign(scene: Scene, ledger: Ledger): Promise<string> {
  const hosted = scene.dice.pick(hostedOf(scene, ledger))
  const act = scene.dice.pick([signPing, signPayment, signToken, signOrder])
  return finish(scene, hosted, await act(scene, hosted))
}

async function wallet(scene: Scene, ledger: Ledger): Promise<string> {
  if (!pastOf(scene, ledger).wallets.has('alice')) return register(scene, ledger, 'alice')
  if (scene.dice.chance(0.3)) return (await disclose(scene, ledger)).what
  const kind = scene.dice.pick(['balance', 'pay', 'pay', 'offer', 'tap'] as const)
  const { solo } = scene.parties
  const receiver = kind === 'pay' && scene.dice.chance(0.7) ? solo.party : undefined
  return finish(scene, { place: ledger.at(0) }, await askWallet(scene, ledger, kind, receiver))
}

async function topology(scene: Scene, ledger: Ledger): Promise<string> {
  const { own, standing, place: home } = scene.dice.pick(hostedOf(scene, ledger))
  const changes = own.founders.length === 1 ? ['keys', 'apart', 'host'] : CHANGES
  const change = scene.dice.pick(changes)
  const place = change === 'host' ? scene.dice.pick(ledger.places) : home
  const after = (serial: number): number => serialAfter(serial, pastOf(scene, ledger).base)
  const next = {
    ...changed(own, standing, { change, after }),
    serial: after(standing.serial),
    host: place.uid,
  }
  const signed = topologyOf(own, next, standing.owners.holders, change === 'apart')
  return `${change}: ${await finish(scene, { place }, keepTopology(scene, place, signed))}`
}

/** Kinds of changes of several owners; who they are is what most depends on. */
const CHANGES = ['keys', 'apart', 'host', 'threshold', 'needed', 'needed', 'removed'] as const

function changed(
  own: Owned,
  standing: Standing,
  { change, after }: { readonly change: string; readonly after: (serial: number) => number },
): Standing {
  const { keys, threshold, mapping, owners } = standing
  const serial = after(owners.serial)
  const [first, ...others] = own.founders
  switch (change) {
    case 'keys':
      return { ...standing, keys: newHolders(keys.length) }
    case 'apart':
      return { ...standing, mapping: after(mapping) }
    case 'threshold':
      return { ...standing, threshold: (threshold % keys.length) + 1 }
    case 'needed': {
      const needed = (owners.needed % owners.holders.length) + 1
      return { ...standing, owners: { ...owners, serial, needed } }
    }
    case 'removed': {
      const isThere = first !== undefined && owners.holders.includes(first)
      const holders = isThere ? others : own.founders
      return { ...standing, owners: { serial, holders, needed: 1 } }
    }
    default:
      return standing
  }
}

async function fork(scene: Scene): Promise<string> {
  const [own, target] = scene.ledgers
  if (own === undefined || target === undefined) return 'nothing'
  const saved = await saveAs(scene, own)
  if (scene.dice.chance(0.7)) await target.replace('fork', { backup: saved.file })
  else {
    await target.restore(saved.file, 'copy')
    forget(scene, target)
  }
  goOn(scene, target, saved.past)
  return `${own.name} goes on as ${target.name}, too`
}

/** A ledger is lost: its last backup takes its place. */
async function restore(scene: Scene, ledger: Ledger): Promise<string> {
  const { ledger: id } = pastOf(scene, ledger)
  const saved = scene.saved.findLast((one) => one.ledger === ledger && one.past.ledger === id)
  if (saved === undefined) return save(scene, ledger)
  await ledger.restore(saved.file, 'in-place')
  forget(scene, ledger)
  scene.pasts.set(ledger, saved.past)
  return `restored from ${saved.name}`
}

/** The snapshots of a ledger are where its data was. */
function forget(scene: Scene, ledger: Ledger): void {
  scene.saved = scene.saved.filter((one) => one.ledger !== ledger)
}

async function reset(scene: Scene, ledger: Ledger): Promise<string> {
  await ledger.replace('reset')
  await begin(scene, ledger)
  return 'reset'
}

async function save(scene: Scene, ledger: Ledger): Promise<string> {
  return `saved as ${(await saveAs(scene, ledger)).name}`
}

async function saveAs(scene: Scene, ledger: Ledger): Promise<Saved> {
  const name = scene.fresh()
  const saved = { ledger, name, file: await ledger.save(name), past: pastOf(scene, ledger) }
  scene.saved = [...scene.saved, saved]
  return saved
}

async function revert(scene: Scene, ledger: Ledger): Promise<string> {
  const own = scene.saved.filter((one) => one.ledger === ledger)
  if (own.length === 0) return save(scene, ledger)
  const saved = scene.dice.pick(own)
  await ledger.replace('revert', { snapshot: saved.name })
  goOn(scene, ledger, saved.past)
  return `reverted to ${saved.name}`
}

async function passTime(scene: Scene, ledger: Ledger): Promise<string> {
  const hours = scene.dice.pick([2, 25, 25, 800])
  await ledger.advance(hours)
  return `${hours} hours pass`
}

async function restart(_: Scene, ledger: Ledger): Promise<string> {
  await ledger.restart()
  return 'starts again'
}

async function recreate(scene: Scene, ledger: Ledger): Promise<string> {
  if (!pastOf(scene, ledger).wallets.has('alice')) return register(scene, ledger, 'alice')
  await ledger.at(0).done(MIGHTY, 'DELETE /v2/users/alice')
  return register(scene, ledger, 'alice')
}

async function offboard(scene: Scene, ledger: Ledger): Promise<string> {
  const past = pastOf(scene, ledger)
  if (!past.wallets.has('alice')) return register(scene, ledger, 'alice')
  await ledger.at(0).done('operator', 'POST /api/validator/v0/admin/users/offboard?username=alice')
  const wallets = new Map([...past.wallets].filter(([user]) => user !== 'alice'))
  scene.pasts.set(ledger, { ...past, wallets })
  return 'alice is offboarded'
}

/** Prunes: what was done just before must stay done. */
async function prune(scene: Scene, ledger: Ledger): Promise<string> {
  for (const hosted of hostedOf(scene, ledger))
    await use(scene, hosted.place, await signPing(scene, hosted))
  for (const automation of ['command-ids', 'prune']) await ledger.run(automation)
  return 'pruned'
}
