// Loaded before everything else (`node --import`): where the variable PLANT names an edit of a
// source file, that file is loaded with the edit in it. The product has no seam for it, and the
// checkout stays as it is.
import { registerHooks } from 'node:module'
import { readPlant } from './faults/edit.ts'

const plant = readPlant(process.env['PLANT'])

if (plant !== undefined) {
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      const edit = plant.edits.find((each) => each.url === url)
      return edit === undefined ? loaded : { ...loaded, source: edit.source }
    },
  })
}
