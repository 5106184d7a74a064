// Writes a small DAR to standard output, for the tour in README.md: one package with one template,
// no code in it.
import { INT64, PARTY, TEXT, archive, dar } from './dar-writer.ts'

const main = archive({
  name: 'deals',
  version: '1.0.0',
  modules: [
    {
      name: 'Deals',
      dataTypes: [
        {
          name: 'Deal',
          serializable: true,
          record: [
            ['owner', PARTY],
            ['amount', INT64],
            ['note', TEXT],
          ],
        },
      ],
      templates: [{ name: 'Deal' }],
    },
  ],
})

process.stdout.write(dar({ main }))
