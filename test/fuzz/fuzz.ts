// A fuzz of the running service: draws requests, sends them side by side, judges every answer and
// learns from it.
import { setTimeout as sleep } from 'node:timers/promises'
import { NoAnswerError } from '../../runtime/testing/conform.ts'
import { createSender } from '../../runtime/testing/conform/sender.ts'
import type { Answer, Sender } from '../../runtime/testing/conform/sender.ts'
import { seedOf } from '../../runtime/testing/conform/samples.ts'
import { member } from '../../runtime/host/member.ts'
import { diceOf } from '../drive/dice.ts'
import type { Dice } from '../drive/dice.ts'
import { Bank } from './bank.ts'
import { ADMIN, FuzzCallers, KEEPER } from './callers.ts'
import type { Caller } from './callers.ts'
import { sendBytes } from './client.ts'
import { commandMaker } from './commands.ts'
import type { CommandMaker } from './commands.ts'
import { Holders } from './holders.ts'
import { judge } from './judge.ts'
import { learn, unlearn } from './learn.ts'
import { Memory } from './memory.ts'
import { rawCase, rawCommand, rawProblem, sendRaw } from './raw.ts'
import { Receipts } from './receipts.ts'
import { commandOf, shownAnswer } from './report.ts'
import type { Report } from './report.ts'
import { makeRequest } from './request.ts'
import type { Made } from './request.ts'
import type { Target } from './surface.ts'
import { resumeAutomations } from './world.ts'
import type { World } from './world.ts'

export interface FuzzOptions {
  readonly world: World
  readonly surface: readonly Target[]
  readonly report: Report
  readonly seed: number
  readonly requests: number
  /** Time for unfinished requests, as sendBytes has it. */
  readonly unfinishedMs?: number
}

const WORKERS = 24
const TIMEOUT_MS = 60_000
const RAW_SHARE = 0.001
/** Requests between two looks after the people. */
const MENDED_EVERY = 400
const RENEWED_MS = 300_000
const PING_MS = 100
const MEMORY_MS = 2_000
/** Operations whose answer names a party with keys of its own. */
const OUTSIDE = /submitExternalPartyTopology|allocateExternalParty/
/**
 * How often an operation is asked, else 1: less what costs much or stops others, more what the most
 * lies behind.
 */
const WEIGHTS: Readonly<Record<string, number>> = {
  'validator tap': 0.15,
  'validator pauseAutomation': 0.1,
  'validator reassignContract': 0.3,
  'validator createTransferPreapproval': 0.15,
  'validator register': 0.5,
  'validator onboardUser': 0.5,
  'validator offboardUser': 0.5,
  'scan forceAcsSnapshotNow': 0.3,
  'ledger uploadDar': 0.3,
  'ledger uploadPackages': 0.3,
  'ledger validateDar': 0.3,
  'ledger deleteUser': 0.5,
  'ledger submitAndWait': 4,
  'ledger submitAndWaitForTransaction': 4,
  'ledger prepareSubmission': 4,
  'ledger getActiveContracts': 2,
  'ledger getUpdates': 2,
  'validator createTransferOffer': 3,
  'validator createTokenStandardTransfer': 3,
  'validator transferPreapprovalSend': 3,
  'validator acceptTransferOffer': 2,
  'validator acceptTokenStandardTransfer': 2,
}
const MOST = Math.max(...Object.values(WEIGHTS))

/** One run on one service. Answers what was acknowledged. */
export async function fuzz(options: FuzzOptions): Promise<Receipts> {
  const run = new Run(options)
  try {
    return await run.finish()
  } finally {
    run.close()
  }
}

class Run {
  readonly #options: FuzzOptions
  readonly #memory = new Memory([KEEPER, ADMIN])
  readonly #bank: Bank
  readonly #callers = new FuzzCallers()
  readonly #holders = new Holders()
  readonly #commands: CommandMaker = commandMaker()
  readonly #receipts = new Receipts()
  readonly #sender: Sender
  readonly #pinger: Sender
  readonly #startedMs = performance.now()
  #next = 0
  #isOver = false
  #mending: Promise<void> | undefined
  #renewedMs = performance.now()

  constructor(options: FuzzOptions) {
    this.#options = options
    this.#bank = new Bank(options.seed)
    const url = new URL(`http://127.0.0.1:${options.world.port}`)
    this.#sender = createSender({ url, connections: WORKERS, timeoutMs: TIMEOUT_MS })
    this.#pinger = createSender({ url, connections: 1, timeoutMs: TIMEOUT_MS })
  }

  async finish(): Promise<Receipts> {
    const { report } = this.#options
    const watches = [this.#ping(), this.#watchMemory()]
    await Promise.all(Array.from({ length: WORKERS }, () => this.#work()))
    this.#isOver = true
    await Promise.all(watches)
    await this.#mending
    report.seconds += (performance.now() - this.#startedMs) / 1_000
    return this.#receipts
  }

  close(): void {
    this.#sender.close()
    this.#pinger.close()
  }

  async #work(): Promise<void> {
    while (this.#next < this.#options.requests) {
      const index = this.#next
      this.#next += 1
      if (index % MENDED_EVERY === 0) this.#mend(index)
      await this.#one(index)
    }
  }

  async #one(index: number): Promise<void> {
    const { seed, world } = this.#options
    const dice = diceOf(seedOf(seed, String(index)))
    if (dice.chance(RAW_SHARE)) return this.#raw(index)
    const target = this.#target(dice)
    const caller = this.#callers.choose(target.audience, this.#memory, dice)
    const party = world.parties.get(caller.name) ?? this.#memory.some('party', dice) ?? 'x'
    const made = makeRequest(target, caller.header, this.#bank, {
      memory: this.#memory,
      dice,
      commands: this.#commands,
      holders: this.#holders,
      caller: caller.name,
      party,
      synchronizer: world.synchronizer,
      keysUrl: world.keysUrl,
    })
    this.#receipts.sending(made.wire.method, made.wire.target)
    const answer = await this.#send(made)
    if (answer instanceof NoAnswerError) this.#unanswered(index, target, caller, made, answer)
    else this.#answered(index, target, caller, made, answer)
  }

  #target(dice: Dice): Target {
    for (;;) {
      const target = dice.pick(this.#options.surface)
      if (dice.chance((WEIGHTS[target.name] ?? 1) / MOST)) return target
    }
  }

  async #send({ isWild, wire }: Made): Promise<Answer | NoAnswerError> {
    const { unfinishedMs, world } = this.#options
    try {
      return await (isWild
        ? sendBytes(world.port, wire, { timeoutMs: TIMEOUT_MS, unfinishedMs })
        : this.#sender.send(wire))
    } catch (error) {
      if (error instanceof NoAnswerError) return error
      throw error
    }
  }

  #answered(index: number, target: Target, caller: Caller, made: Made, answer: Answer): void {
    const { report, world } = this.#options
    report.count(made.isSame ? target.name : undefined, answer.status, answer.milliseconds)
    const { value, faults, excuse } = judge(
      { target: made.isSame ? target : undefined, caller, wire: made.wire },
      answer,
    )
    if (excuse !== undefined) report.excuses.set(excuse, (report.excuses.get(excuse) ?? 0) + 1)

    const traceId = answer.headers.get('traceparent')?.split('-')[1] ?? 'none'
    for (const { cause, sentence } of faults) {
      report.find(cause, () => ({
        sentence: `${target.name}: ${sentence}`,
        where: this.#where(index, made, caller),
        command: commandOf(world.authority.service.url, made.wire),
        answer: shownAnswer(answer.status, answer.body),
        log: () => world.errors.filter((line) => line.includes(traceId)),
      }))
    }
    if (answer.status === 404) unlearn(this.#memory, answer.body.toString('latin1'), diceOf(index))
    if (answer.status < 200 || answer.status >= 300 || !made.isSame) return
    learn(this.#memory, value)
    if (!(made.body instanceof Uint8Array)) learn(this.#memory, made.body)
    this.#receipts.answered({
      target,
      caller,
      body: made.body,
      value,
      party: world.parties.get(caller.name) ?? '',
    })
    if (made.body !== undefined) this.#holders.sign(target.name, made.body, value, this.#memory)
    if (member(made.body, 'synchronizer_id') === null)
      this.#memory.note('unassigned', made.wire.target.split('/').at(-2) ?? '')
    const outside = member(value, 'party_id') ?? member(value, 'partyId')
    if (typeof outside === 'string' && OUTSIDE.test(target.name))
      this.#memory.note('outside', outside)
  }

  #unanswered(
    index: number,
    target: Target,
    caller: Caller,
    made: Made,
    error: NoAnswerError,
  ): void {
    const { report, world } = this.#options
    // Node closes these without a word: no tunnel is offered.
    if (made.wire.method === 'CONNECT') return
    report.find(`${made.isSame ? target.name : 'no operation'} ${error.reason}`, () => ({
      sentence: `${target.name}: ${error.message}`,
      where: this.#where(index, made, caller),
      answer: 'none',
      command: commandOf(world.authority.service.url, made.wire),
      log: () => world.errors.slice(-3),
    }))
  }

  #where(index: number, { how }: Made, { name }: Caller): string {
    return `seed ${this.#options.seed}, request ${index} (${how}) as ${name}`
  }

  async #raw(index: number): Promise<void> {
    const {
      report,
      seed,
      world: { port },
    } = this.#options
    const sent = rawCase(diceOf(seedOf(seed, `raw ${index}`)))
    report.raw += 1
    const outcome = await sendRaw(port, sent)
    const sentence = rawProblem(outcome)
    if (sentence === undefined) return
    report.find(`raw ${sent.name} ${sentence}`, () => ({
      sentence: `raw, ${sent.name}: ${sentence}`,
      where: `seed ${seed}, request ${index}`,
      command: rawCommand(port, sent),
      answer: outcome.received.slice(0, 300),
      log: () => [],
    }))
  }

  /** Mends the people beside the requests, once at a time. */
  #mend(index: number): void {
    if (performance.now() - this.#renewedMs > RENEWED_MS) {
      this.#renewedMs = performance.now()
      this.#callers.renew()
    }
    if (this.#mending !== undefined) return
    const { world, report } = this.#options
    for (const party of world.parties.values()) this.#memory.note('wallet', party)
    this.#mending = world
      .mend()
      .then(() => resumeAutomations(world))
      .catch((error: unknown) => {
        report.note(`the people could not be mended: ${String(error)}`, `request ${index}`)
      })
      .finally(() => {
        this.#mending = undefined
      })
  }

  async #ping(): Promise<void> {
    const { report } = this.#options
    while (!this.#isOver) {
      const answer = await this.#pinger
        .send({ method: 'GET', target: '/livez', headers: [] })
        .catch((error: unknown) => error)
      if (answer instanceof Error)
        return report.note(`/livez: ${answer.message}`, `request ${this.#next}`)
      const status = member(answer, 'status')
      if (status !== 200) report.note(`/livez answers ${String(status)}`, `request ${this.#next}`)
      report.alive(Number(member(answer, 'milliseconds')))
      await sleep(PING_MS)
    }
  }

  async #watchMemory(): Promise<void> {
    const series: number[] = []
    this.#options.report.memory.push(series)
    while (!this.#isOver) {
      series.push(this.#options.world.memory())
      await sleep(MEMORY_MS)
    }
    series.push(this.#options.world.memory())
  }
}
