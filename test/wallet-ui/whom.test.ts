// A person pays whom they meant: whoever else goes by the name, in whatever order they come, is
// asked about or warned of with whole ids, on a telephone and on a desk. ORDERS says how many of
// the 720 orders are played, SEED which; faults that are put into the page are found.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { dice } from '../codegen/diff-edits.ts'
import { editOnce } from '../support/source-edit.ts'
import { ROOT } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { openWallet, sharedService, skip } from './browser-kit.ts'
import { newPerson, personOf } from './people.ts'
import { strangersTo } from './strangers.ts'
import { enter, newCast, ORDERS } from './whom-orders.ts'
import type { Actor, Stage } from './whom-orders.ts'
import { tryToPay } from './whom-payer.ts'

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
]
/** One for each size of window, unless told. */
const COUNT = Math.min(Number(process.env['ORDERS'] ?? SIZES.length), ORDERS.length)
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

const WEB = join(ROOT, 'plugins/wallet-ui/web')

let stage: Stage

before(async () => {
  if (skip !== false) return
  const { url } = await sharedService()
  stage = { url, strangers: await strangersTo(url), banker: await personOf(url, 'alice') }
})

test('no order of those who go by one name misleads a payment', { skip }, async (context) => {
  context.diagnostic(`${COUNT} of ${ORDERS.length} orders, SEED=${SEED}`)
  for (let at = 0; at < COUNT; at += 1) {
    const order = ORDERS[(SEED + at * STRIDE) % ORDERS.length] ?? []
    await play({ order, name: `bo${at}`, seed: SEED + at })
  }
})

test(
  'at the own validator a name is spelled out, with what an eye takes for another',
  { skip },
  async () => {
    const { url } = stage
    await newPerson(url, 'lilian')
    const { party } = await newPerson(url, 'liIian')
    await newPerson(url, 'link-payer', 100)
    for (const viewport of SIZES) {
      const { page, complaints, close } = await openWallet(url, 'link-payer', '/', { viewport })
      for (const [language, said] of Object.entries(SPELLED)) {
        await page.evaluate(`localStorage.setItem('wallet-language', '${language}')`)
        await page.goto(`${url}/wallet/send?to=${encodeURIComponent(party)}&amount=1`)
        await page.locator('form button[type="submit"]:enabled').click()
        const dialog = page.getByRole('dialog')
        for (const text of said) await dialog.getByText(text).waitFor()
        assert.deepEqual(await page.evaluate(LOOKS_OF_NAME), {
          spelled: 'liIian',
          fonts: ['monospace'],
          isInside: true,
        })
      }
      assert.deepEqual(complaints, [])
      await close()
    }
  },
)

const SPELLED = {
  en: [
    'At this validator only the name tells parties apart. Compare it letter by letter',
    'Character 1: small l (L)',
    'Character 3: capital I (i)',
  ],
  de: [
    'Bei diesem Validator unterscheidet nur der Name die Parteien. Vergleichen Sie ihn Buchstabe für Buchstabe',
    'Zeichen 1: kleines l (L)',
    'Zeichen 3: großes I (i)',
  ],
}

/** How the dialog shows a name of which `liIi` is the first group. */
const LOOKS_OF_NAME = `(() => {
  const dialog = document.querySelector('[role="dialog"]')
  const [letters] = dialog.querySelector('[data-spelled]').children
  const texts = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT)
  const fonts = new Set()
  while (texts.nextNode())
    if (texts.currentNode.data.includes('liIi'))
      fonts.add(getComputedStyle(texts.currentNode.parentElement).fontFamily.split(', ').at(-1))
  return {
    spelled: letters.textContent,
    fonts: [...fonts],
    isInside: dialog.scrollWidth <= dialog.clientWidth,
  }
})()`

/** A place of the page, what stands there, what is put there instead, and who shows it. */
const FAULTS: Record<string, readonly [string, string, string, readonly Actor[]]> = {
  'the history resolves names': [
    'lib/whom.ts',
    'const meant = meantBy(text, candidates)',
    'const meant = candidates.paid.filter((party) => hintOf(party) === text)',
    ['paid'],
  ],
  'who sent something counts as paid': [
    'lib/paid.ts',
    "if (entry.transaction_type !== 'transfer' || entry.sender.party !== own) return []",
    "if (entry.transaction_type !== 'transfer') return []\nif (entry.sender.party !== own) return [entry.sender.party]",
    ['dust'],
  ],
  'a first payment is not asked about': [
    'parts/send-form.tsx',
    "whom.isFirst || (kind === 'one-step'",
    "(kind === 'one-step'",
    ['lookAlike'],
  ],
  'a letter that looks like another is another': [
    'lib/look-alike.ts',
    'SHAPE.get(letter) ?? letter',
    'letter',
    ['paid', 'lookAlike'],
  ],
}

for (const [fault, [file, right, wrong, order]] of Object.entries(FAULTS))
  test(`it is found where ${fault}`, { skip }, async (context) => {
    const { path: folder, remove } = await tempDir()
    context.after(remove)
    await buildWith([file, right, wrong], folder)
    const name = `fo${file.replaceAll(/\W/gu, '-')}`
    const played = play({ order, name, seed: SEED, folder, triesAtLast: 40 })
    await assert.rejects(played, ({ cause }: Error) => cause instanceof assert.AssertionError)
  })

/** Has no factor in common with 720: all are met before one is met twice. */
const STRIDE = 277

interface Play {
  readonly order: readonly Actor[]
  /** The name of everybody in it. */
  readonly name: string
  readonly seed: number
  /** Tries after the last newcomer, in place of one after each. */
  readonly triesAtLast?: number
  /** The folder of another page than the service's. */
  readonly folder?: string
}

async function play({ order, name, seed, triesAtLast, folder }: Play): Promise<void> {
  const cast = await newCast(stage, name)
  const viewport = SIZES[seed % SIZES.length] ?? null
  const { page, complaints, close } = await openWallet(stage.url, cast.payer.name, '/', {
    viewport,
  })
  const seat = { url: stage.url, page, cast, dice: dice(seed) }
  const come: Actor[] = []
  try {
    if (folder !== undefined) await showFrom(page, folder)
    for (const actor of order) {
      await enter(stage, cast, actor)
      come.push(actor)
      if (triesAtLast === undefined) await tryToPay(seat)
    }
    for (let at = 0; at < (triesAtLast ?? 0); at += 1) await tryToPay(seat)
    assert.deepEqual(complaints, [])
  } catch (cause) {
    throw new Error(`SEED=${SEED}: ${come.join(', ')}; ${viewport?.width} px`, { cause })
  } finally {
    await close()
  }
}

/** The page with an edit, built into a folder. */
async function buildWith(
  [file, right, wrong]: readonly [string, string, string],
  folder: string,
): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: join(WEB, 'vite.config.ts'),
    plugins: [
      {
        name: 'fault',
        enforce: 'pre',
        transform: (code, id) =>
          id.endsWith(`/src/${file}`) ? editOnce(code, right, wrong) : null,
      },
    ],
    build: { outDir: folder, minify: false },
  })
}

/** The page and its pieces come from a folder; everything else from the service. */
async function showFrom(page: Page, folder: string): Promise<void> {
  await page.route('**/wallet/**', (route) => {
    const { pathname } = new URL(route.request().url())
    const piece = /\/assets\/[\w.-]+$/u.exec(pathname)?.[0]
    if (piece !== undefined) return route.fulfill({ path: join(folder, piece) })
    return route.request().resourceType() === 'document'
      ? route.fulfill({ path: join(folder, 'index.html') })
      : route.fallback()
  })
}
