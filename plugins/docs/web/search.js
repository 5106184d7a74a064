// The search of the site. The index is a file of the site, fetched when the reader first turns to
// the field; operations come from the server where it has an API reference.
import MiniSearch from './minisearch.js'

const OPTIONS = { fields: ['heading', 'page', 'text'], storeFields: ['heading', 'page', 'excerpt'] }
const SHOWN = 12

const place = document.querySelector('.search')
const input = document.createElement('input')
const list = document.createElement('ul')
let index
let selected = -1

if (place !== null) start()

function start() {
  Object.assign(input, { type: 'search', placeholder: 'Search ( / )', autocomplete: 'off' })
  const roles = { role: 'combobox', 'aria-label': 'Search', 'aria-expanded': 'false' }
  for (const [name, value] of Object.entries(roles)) input.setAttribute(name, value)
  input.setAttribute('aria-controls', 'search-results')
  Object.assign(list, { className: 'results', id: 'search-results', hidden: true })
  list.setAttribute('role', 'listbox')
  place.append(input, list)
  input.addEventListener('focus', load)
  input.addEventListener('input', show)
  input.addEventListener('keydown', onKey)
  document.addEventListener('click', ({ target }) => place.contains(target) || close())
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
    if (event.key !== '/' || isTyping) return
    event.preventDefault()
    input.focus()
  })
}

function load() {
  index ??= fetchIndex().then((loaded) => {
    index = loaded
    show()
  })
}

async function fetchIndex() {
  const response = await fetch(place.dataset.index)
  const loaded = MiniSearch.loadJSON(await response.text(), OPTIONS)
  const operations = await fetch(`${place.dataset.root}operations.json`).catch(() => undefined)
  if (operations?.ok) loaded.addAll(await operations.json())
  return loaded
}

function show() {
  const text = input.value.trim()
  if (text === '' || !(index instanceof MiniSearch)) return close()
  const found = index.search(text, { prefix: true, fuzzy: 0.15, boost: { heading: 4, page: 2 } })
  selected = -1
  list.replaceChildren(...found.slice(0, SHOWN).map(resultItem))
  if (found.length === 0) list.replaceChildren(emptyItem())
  list.hidden = false
  input.setAttribute('aria-expanded', 'true')
}

function resultItem({ id, heading, page, excerpt }) {
  const item = document.createElement('li')
  item.setAttribute('role', 'option')
  const link = document.createElement('a')
  link.href = place.dataset.root + id
  link.tabIndex = -1
  link.append(heading === page ? heading : `${page}: ${heading}`)
  const below = document.createElement('small')
  below.textContent = excerpt
  link.append(below)
  item.append(link)
  return item
}

function emptyItem() {
  const item = document.createElement('li')
  item.className = 'none'
  item.textContent = 'No results'
  return item
}

function onKey(event) {
  const links = [...list.querySelectorAll('a')]
  if (event.key === 'Escape') return close()
  if (event.key === 'Enter') return links[Math.max(selected, 0)]?.click()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || links.length === 0) return
  event.preventDefault()
  selected = (selected + step + links.length) % links.length
  links.forEach((link, at) => link.parentElement.setAttribute('aria-selected', at === selected))
  links[selected].scrollIntoView({ block: 'nearest' })
}

function close() {
  list.hidden = true
  input.setAttribute('aria-expanded', 'false')
}
