// Writes a small DAR to standard output, for the tours in docs/: a deal that one party proposes and
// both sign once the other accepts. An argument is its version, and each one after it a further
// optional text of the deal.
import { create, field, listOf, none, record, variable } from '../packages/expressions.ts'
import { archive, dar, optional, own, PARTY, TEXT } from './dar-writer.ts'
import type { FieldSpec, Write } from './dar-writer.ts'

const [version = '1.0.0', ...added] = process.argv.slice(2)
const proposal = own('Deals:Proposal')
const deal = own('Deals:Deal')
const agreed: readonly FieldSpec[] = [
  ['seller', PARTY],
  ['buyer', PARTY],
  ['goods', TEXT],
]
const fieldOf = (of: typeof deal) => (name: string) => field(of, name, variable('this'))
const parties = (of: typeof deal, ...names: readonly string[]): Write =>
  listOf(PARTY, ...names.map(fieldOf(of)))

const main = archive({
  name: 'deals',
  version,
  modules: [
    {
      name: 'Deals',
      dataTypes: [
        { name: 'Proposal', record: agreed },
        { name: 'Accept', record: [] },
        {
          name: 'Deal',
          record: [...agreed, ...added.map((name) => [name, optional(TEXT)] as const)],
        },
      ],
      templates: [
        {
          name: 'Proposal',
          signatories: parties(proposal, 'seller'),
          observers: parties(proposal, 'buyer'),
          choices: [
            {
              name: 'Accept',
              argument: own('Deals:Accept'),
              result: { builtin: 8, args: [deal] },
              controllers: parties(proposal, 'buyer'),
              observers: listOf(PARTY),
              body: create(
                'Deals:Deal',
                record(deal, {
                  ...Object.fromEntries(
                    agreed.map(([name]) => [name, fieldOf(proposal)(name)] as const),
                  ),
                  ...Object.fromEntries(added.map((name) => [name, none(TEXT)] as const)),
                }),
              ),
            },
          ],
        },
        { name: 'Deal', signatories: parties(deal, 'seller', 'buyer'), observers: listOf(PARTY) },
      ],
    },
  ],
})

process.stdout.write(dar({ main }))
