// What rounds bring: super validators receive their coupons, and hosted parties mint what they
// earned. docs/economy-rules.md, "Rewards"
import { z } from 'zod'
import { defineAutomation, forEachOf } from '../../runtime/economy.ts'
import type { EconomyRun } from '../../runtime/economy.ts'
import { Collection } from './collection.ts'
import { SvRewards } from './sv-rewards.ts'

/**
 * A coupon is archived by who mints it, and super validators' coupons have a command id each:
 * nothing is received twice.
 */
export default defineAutomation({
  name: 'rewards',
  summary: 'Mints the rewards that parties of this node have earned.',
  topic: 'wallets',
  options: z.strictObject({
    /** The pause before it goes on with what one look leaves. */
    everyMs: z.int().min(10).optional(),
    /**
     * When a party collects: as soon as a round issues, or at an instant drawn for each party and
     * round. Without: `at-once` in the development profile, else `random`.
     */
    schedule: z.enum(['random', 'at-once']).optional(),
    /** Seconds before a round closes at which the drawn instants end. */
    closeBufferSeconds: z.int().min(0).max(86_400).default(120),
    /** Parties that collect at the same time. */
    parallel: z.int().min(1).max(100).default(4),
  }),
  setup: (host, options) => {
    const {
      everyMs,
      schedule = host.profile === 'dev' ? 'at-once' : 'random',
      closeBufferSeconds,
      parallel,
    } = options
    const svRewards = new SvRewards()
    const collection = new Collection({
      schedule,
      closeBuffer: BigInt(closeBufferSeconds) * 1_000_000n,
      parallel,
      random: host.random ?? Math.random,
    })
    const jobs = [
      (services: EconomyRun) => svRewards.run(services),
      (services: EconomyRun) => collection.run(services),
    ]
    return {
      trigger: { pauseMs: everyMs, onRound: true },
      run: (services) => forEachOf(jobs, 1, services.signal, (job) => job(services)),
    }
  },
})
