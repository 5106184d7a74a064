// What one user or party may take of this node, and how much is kept for others.
// docs/decisions/0011-floods.md
import { z } from 'zod'

export const quotasSection = z.strictObject({
  /** Submissions of one user in the long run. */
  submissionsPerSecond: z.number().min(0.1).max(100_000).default(250),
  /** Submissions that a user may make at once after a pause. */
  submissionBurst: z.int().min(1).max(1_000_000).default(2_500),
  /** Payments out of one wallet in the long run, its automations' too. */
  paymentsPerSecond: z.number().min(0.1).max(100_000).default(100),
  /** Payments out of one wallet at once after a pause. */
  paymentBurst: z.int().min(1).max(1_000_000).default(1_000),
  /** New wallets that one network address may register in the long run. */
  registrationsPerMinute: z.number().min(0.1).max(1_000_000).default(60),
  /** New wallets that one network address may register at once after a pause. */
  registrationBurst: z.int().min(1).max(1_000_000).default(300),
  /** Largest share of a window's traffic that one user or party takes. 100: all. */
  trafficPercent: z.int().min(1).max(100).default(75),
  /** Share of the base allowance that submissions to the ledger leave to wallets. 0: nothing. */
  walletReservePercent: z.int().min(0).max(100).default(25),
  /** Contracts of one kind that automations have to look at and that one party may have open. */
  openContracts: z.int().min(1).max(10_000_000).default(1_000),
  /** Contracts of one kind that others may have open on a party that did not sign them. */
  plantedContracts: z.int().min(2).max(10_000_000).default(10_000),
  /**
   * Contracts of such a kind that one party may open in the long run, however soon automations end
   * them.
   */
  openedPerMinute: z.number().min(1).max(10_000_000).default(3_000),
})

export type QuotaSettings = z.output<typeof quotasSection>
