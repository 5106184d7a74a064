// Two-step transfers: the amount is locked until the receiver answers or time is up.
// docs/economy-rules.md, "Token-standard transfers"
import { amountOf } from './arithmetic.ts'
import type { InstructAction, PlainAction, SelfTransferAction } from './actions.ts'
import type { Change, Check, Plan } from './plan.ts'
import { FOREIGN, judge, nameOf, refuse } from './plan.ts'
import type { Coin, Economy, Instruction } from './state.ts'
import { get } from './state.ts'
import { inputsOf, roundNow, transfer, worth } from './transfer.ts'

/** Locks the amount and offers it; to oneself it is a merge. */
export function instruct(economy: Economy, action: InstructAction): Plan {
  const { actor, receiver, requestedAt, executeBefore } = action
  const terms: readonly Check[] = [
    [requestedAt <= economy.now, 'requirement', 'too-early'],
    [economy.now < executeBefore, 'requirement', 'too-late'],
    [requestedAt < executeBefore, 'requirement', 'invalid', 'too-late'],
    [executeBefore - requestedAt <= economy.config.maxTtl, 'requirement', 'invalid'],
  ]
  const lockedUntil = receiver === actor ? null : executeBefore
  return move(economy, action, terms, lockedUntil, (change, amount, locked) => {
    if (locked.lockedUntil === null) return change
    const id = nameOf(economy, change.create.length)
    const made: Instruction = {
      kind: 'instruction',
      id,
      sender: actor,
      receiver,
      amount,
      requestedAt,
      executeBefore,
      locked: locked.id,
    }
    return { ...change, create: [...change.create, made] }
  })
}

/** Merges or splits one's own coins. */
export function selfTransfer(economy: Economy, action: SelfTransferAction): Plan {
  return move(economy, action, [], null, (change) => change)
}

/** Everything that names an instruction. */
export function useInstruction(economy: Economy, { kind, actor, id }: PlainAction): Plan {
  const found = get(economy, 'instruction', id)
  if (found === undefined) return refuse('not-found')
  const isOver = economy.now >= found.executeBefore
  const locked = get(economy, 'coin', found.locked)
  if (kind === 'instruction-accept') return accept(economy, found, locked, actor)
  const controller = { 'instruction-reject': found.receiver, 'instruction-withdraw': found.sender }
  const by =
    kind === 'instruction-reject' || kind === 'instruction-withdraw'
      ? controller[kind]
      : economy.config.network
  const checks: readonly Check[] = [
    [by === actor, ...FOREIGN],
    [kind !== 'instruction-expire' || isOver, 'too-early', 'requirement'],
    [locked !== undefined || isOver, 'requirement', 'too-early', 'not-found'],
  ]
  return judge(checks, () => ({
    consume: [id, ...(locked === undefined ? [] : [locked.id])],
    create: locked === undefined ? [] : [unlocked(economy, locked)],
  }))
}

/** The owner takes back a coin whose lock is over; the instruction stays as a shell. */
export function reclaim(economy: Economy, { actor, id }: PlainAction): Plan {
  const coin = get(economy, 'coin', id)
  if (coin === undefined || coin.lockedUntil === null)
    return refuse('not-found', 'invalid', 'requirement')
  const checks: readonly Check[] = [
    [coin.owner === actor, ...FOREIGN],
    [economy.now >= coin.lockedUntil, 'too-early', 'requirement'],
  ]
  return judge(checks, () => ({ consume: [id], create: [unlocked(economy, coin)] }))
}

function accept(
  economy: Economy,
  found: Instruction,
  locked: Coin | undefined,
  actor: string,
): Plan {
  const { round, check } = roundNow(economy)
  const checks: readonly Check[] = [
    [found.receiver === actor, ...FOREIGN],
    [economy.now < found.executeBefore, 'too-late', 'requirement', 'not-found'],
    [locked !== undefined, 'not-found'],
    check,
  ]
  if (round === undefined || locked === undefined)
    return judge(checks, () => ({ consume: [], create: [] }))
  return judge(checks, () => {
    const inputs = { coins: [locked], coupons: [], checks: [] }
    const output = { owner: found.receiver, amount: found.amount, lockedUntil: null }
    const { change } = transfer(economy, { sender: found.sender, inputs, round }, [output])
    return { ...change, consume: [found.id, ...change.consume] }
  })
}

function unlocked(economy: Economy, coin: Coin): Coin {
  return { ...coin, id: nameOf(economy, 0), lockedUntil: null }
}

type Finish = (change: Change, amount: bigint, output: Coin) => Change

function move(
  economy: Economy,
  { actor, amount: text, inputs: choice }: InstructAction | SelfTransferAction,
  terms: readonly Check[],
  lockedUntil: bigint | null,
  finish: Finish,
): Plan {
  const amount = amountOf(text)
  if (amount === undefined) return refuse('invalid')
  const { round, check } = roundNow(economy)
  const inputs = inputsOf(economy, actor, choice)
  const checks: readonly Check[] = [
    ...terms,
    [amount > 0n, 'requirement', 'invalid'],
    ...inputs.checks,
    [inputs.coins.length > 0, 'requirement', 'insufficient-funds', 'invalid'],
    [worth(economy, inputs) >= amount, 'insufficient-funds'],
    check,
  ]
  if (round === undefined) return judge(checks, () => ({ consume: [], create: [] }))
  return judge(checks, () => {
    const result = transfer(economy, { sender: actor, inputs, round }, [
      { owner: actor, amount, lockedUntil },
    ])
    const [output] = result.coins
    return output === undefined ? result.change : finish(result.change, amount, output)
  })
}
