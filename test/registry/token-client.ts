// A wallet that knows the token standard and nothing of the coin: it asks the registry for a
// factory or a context, forwards what it is given, and submits JSON through the ledger's own door.
import assert from 'node:assert/strict'
import type { Handlers } from '../../generated/registry/handlers.gen.ts'
import type { DisclosedContract } from '../../generated/registry/types.gen.ts'
import type { Committed, Rejected } from '../../runtime/engine/index.ts'
import { registryHandlers } from '../../runtime/interfaces/registry/index.ts'
import type { Context } from '../../runtime/interfaces/reply.ts'
import { timeText } from '../../runtime/participant/time.ts'
import { asked, bodyOf } from '../scan/kit.ts'
import type { Asked } from '../scan/kit.ts'
import type { World } from '../wallet/world.ts'

export interface TransferRequest {
  readonly sender: string
  readonly receiver: string
  readonly amount: string
  readonly inputs?: readonly string[]
  /** Lifetime from now, microseconds. */
  readonly lifetime?: bigint
}

type Choice = 'accept' | 'reject' | 'withdraw'
type Submitted = Promise<Committed<unknown> | Rejected>

/** Choices of instructions, by the interface that declares them. */
const CHOICES = {
  transfer: {
    accept: 'TransferInstruction_Accept',
    reject: 'TransferInstruction_Reject',
    withdraw: 'TransferInstruction_Withdraw',
  },
} as const

export class TokenClient {
  readonly registry: Asked<Handlers<Context>>
  readonly #world: World

  constructor(world: World) {
    this.#world = world
    this.registry = asked(registryHandlers(world.economy))
  }

  /** The choice's argument as a client writes it, before the registry has added its context. */
  async arguments({
    sender,
    receiver,
    amount,
    inputs = [],
    lifetime = 3_600_000_000n,
  }: TransferRequest) {
    const { adminId: admin } = bodyOf(await this.registry.getRegistryInfo())
    const now = this.#world.clock.now
    return {
      expectedAdmin: admin,
      transfer: {
        sender,
        receiver,
        amount,
        instrumentId: { admin, id: 'Coin' },
        requestedAt: timeText(now),
        executeBefore: timeText(now + lifetime),
        inputHoldingCids: [...inputs],
        meta: { values: {} },
      },
      extraArgs: { context: { values: {} }, meta: { values: {} } },
    }
  }

  /** Asks for the factory and makes the transfer. */
  async transfer(
    request: TransferRequest,
  ): Promise<{ readonly kind: unknown; readonly done: Committed<unknown> | Rejected }> {
    const choiceArguments = await this.arguments(request)
    const {
      factoryId,
      transferKind,
      choiceContext: { choiceContextData, disclosedContracts },
    } = bodyOf(await this.registry.getTransferFactory({ body: { choiceArguments } }))
    const argument = {
      ...choiceArguments,
      extraArgs: { context: choiceContextData, meta: { values: {} } },
    }
    const done = await this.submit(
      request.sender,
      factoryId,
      'TransferFactory_Transfer',
      argument,
      disclosedContracts,
    )
    return { kind: transferKind, done }
  }

  /** Asks for the context and ends the instruction. */
  async end(party: string, instructionId: string, choice: Choice): Submitted {
    const ask = {
      accept: this.registry.getTransferInstructionAcceptContext,
      reject: this.registry.getTransferInstructionRejectContext,
      withdraw: this.registry.getTransferInstructionWithdrawContext,
    }[choice]
    const path = { transferInstructionId: instructionId }
    const { choiceContextData, disclosedContracts } = bodyOf(
      await ask({ path, body: { excludeDebugFields: true } }),
    )
    const argument = { extraArgs: { context: choiceContextData, meta: { values: {} } } }
    return this.submit(party, instructionId, CHOICES.transfer[choice], argument, disclosedContracts)
  }

  /** A command of the party alone; contracts that it does not see are known by their blobs only. */
  async submit(
    party: string,
    contractId: string,
    choice: string,
    argument: object,
    disclosed: readonly DisclosedContract[] = [],
  ): Submitted {
    const { engine } = this.#world.economy
    return engine.submit({
      actAs: [party],
      userId: '',
      disclosed: disclosed.map(({ createdEventBlob }) => createdEventBlob),
      run: (tx) => {
        const exercised = tx.templateOf(contractId).choices.get(choice)
        assert.ok(exercised, choice)
        return exercised.exerciseJson(tx, contractId, argument)
      },
    })
  }
}
