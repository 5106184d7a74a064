// Gives every sender of a transfer command its counter, without which no command can be carried out. domain/behaviour.md §12
import { dsoRulesCreateTransferCommandCounter, transferCommand, transferCommandCounter } from '../../contracts/index.ts'
import type { Economy } from '../economy.ts'
import { submitForNetwork } from './commands.ts'
import type { ServiceTask } from './task.ts'

/** One counter a sender, for good. */
export function counterKeeper(economy: Economy): ServiceTask {
  const { reader, network, parties: { dso }, settings } = economy
  return {
    name: 'counters',
    everyMs: settings.validator.pollMs,
    run: async () => {
      const commands = await reader.all(transferCommand)
      const rules = commands.length === 0 ? undefined : await network.dsoRules()
      if (rules === undefined) return
      for (const sender of new Set(commands.map(({ payload }) => payload.sender))) {
        if ((await reader.active(transferCommandCounter, { key: [1, sender], limit: 1 })).length > 0) continue
        await submitForNetwork(economy, {
          actAs: [dso], commandId: `counter/${sender}`,
          run: (tx) => tx.exercise(dsoRulesCreateTransferCommandCounter, rules.id, { sender }),
        })
      }
    },
  }
}
