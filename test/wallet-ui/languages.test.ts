// Languages of the wallet: every text that the page can say has a translation, none is left over,
// and a person reads the page, its numbers and its dates in their own language.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import ts from 'typescript'
import { ROOT } from '../support/service.ts'
import { openWallet, sendFirst, sharedService, skip } from './browser-kit.ts'
import { newPerson } from './people.ts'

const SOURCES = join(ROOT, 'plugins/wallet-ui/web/src')
const LANGUAGES = join(SOURCES, 'languages')
const PLACE = /\{\d\}/gu
/** Attributes and members of these names end up on the screen, or are read aloud. */
const SHOWN = /^(label|title|text|line|button|badge|placeholder|description|aria-label)$/u

const texts = new Set<string>()
const untold: string[] = []
for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
  if (!/\.tsx?$/u.test(file)) continue
  const text = readFileSync(join(SOURCES, file), 'utf8')
  look(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), file)
}
// What the automations that come with the server do is a text of the server, but translated here.
const PLUGINS = join(ROOT, 'plugins')
for (const name of readdirSync(PLUGINS).filter((one) => one.startsWith('automation-'))) {
  const [, summary] =
    /^ {2}summary: '(.*)',$/mu.exec(readFileSync(join(PLUGINS, name, 'index.ts'), 'utf8')) ?? []
  assert.ok(summary !== undefined, name)
  texts.add(summary)
}

test('every text has a translation in every language, with the same places', () => {
  assert.ok(texts.size > 500)
  for (const name of readdirSync(LANGUAGES).filter((file) => file.endsWith('.json'))) {
    const words: unknown = JSON.parse(readFileSync(join(LANGUAGES, name), 'utf8'))
    const told = new Map(Object.entries(words ?? {}))
    assert.deepEqual(
      [...texts].filter((text) => !told.has(text)),
      [],
      `missing in ${name}`,
    )
    assert.deepEqual(
      [...told.keys()].filter((text) => !texts.has(text)),
      [],
      `unused in ${name}`,
    )
    for (const [text, translation] of told)
      assert.deepEqual(placesOf(String(translation)), placesOf(text), `${name}: ${text}`)
  }
})

test('no text stands in the page without a way to another language', () => {
  assert.deepEqual(untold, [])
})

test('a German reads German, with German numbers, and types them', { skip }, async () => {
  const { url } = await sharedService()
  const sender = await newPerson(url, 'sender', 1_234)
  await newPerson(url, 'taker')
  const { page, complaints, close } = await openWallet(url, 'sender', '/')
  await page.getByText('1,234.00 CC').first().waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
  await page.getByRole('link', { name: 'Übersicht' }).click()
  await page.getByText('1.234,00 CC').first().waitFor()
  await page.getByText('6,17 $').first().waitFor()
  await page.getByRole('link', { name: 'Senden', exact: true }).click()
  await page.getByRole('combobox', { name: 'An' }).fill('taker')
  await page.getByLabel('Betrag in CC').fill('12.5')
  await page.getByText('Schreiben Sie den Betrag ohne Gruppen: 1234,5').first().waitFor()
  await page.getByLabel('Betrag in CC').fill('12,5')
  await page.getByText('Sie senden 12,50 CC (etwa 0,06 $) in zwei Schritten an taker').waitFor()
  await sendFirst(page)
  await page.getByRole('heading', { name: '✓ Unterwegs' }).waitFor()
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de')
  assert.ok(sender.party.startsWith('sender::'))
  assert.deepEqual(complaints, [])
  await close()
})

test('an operator who reads German has German names in the charts', { skip }, async () => {
  const { url } = await sharedService()
  const { page, close } = await openWallet(url, 'operator', '/')
  await page.evaluate("localStorage.setItem('wallet-language', 'de')")
  await page.goto(`${url}/wallet/metrics`)
  const chart = (name: string): Locator => page.getByRole('region', { name })
  await chart('Anfragen').getByText('Netzwerkdaten').first().waitFor()
  await chart('Anfragen').getByText('Erweiterungen').first().waitFor()
  await chart('Übriger Traffic').getByText('gekauft').first().waitFor()
  await close()
})

/** Texts of `t` and `rich`, and words of the page that neither has. */
function look(node: ts.Node, file: string): void {
  if (
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    /^(t|rich)$/u.test(node.expression.text) &&
    node.arguments[0] !== undefined
  )
    for (const text of literals(node.arguments[0])) texts.add(text)
  if (ts.isJsxText(node) && /[A-Za-z]{2}/u.test(node.text)) untold.push(`${file}: ${node.text}`)
  for (const text of shown(node).filter((one) => /[A-Za-z]{3}/u.test(one)))
    untold.push(`${file}: ${text}`)
  if (ts.isTemplateExpression(node) || ts.isJsxText(node))
    if (/“|”|\} [a-z]{3,}`$/u.test(node.getText())) untold.push(`${file}: ${node.getText()}`)
  ts.forEachChild(node, (child) => look(child, file))
}

function shown(node: ts.Node): readonly string[] {
  if (ts.isJsxAttribute(node) && SHOWN.test(node.name.getText()))
    return node.initializer !== undefined && ts.isStringLiteral(node.initializer)
      ? literals(node.initializer)
      : []
  return ts.isPropertyAssignment(node) && SHOWN.test(node.name.getText())
    ? literals(node.initializer)
    : []
}

function literals(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  return ts.isConditionalExpression(node)
    ? [...literals(node.whenTrue), ...literals(node.whenFalse)]
    : []
}

function placesOf(text: string): readonly string[] {
  return [...new Set(text.match(PLACE))].toSorted()
}
