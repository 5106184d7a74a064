// Opens Swagger UI on one interface. In the development profile requests carry a token already, and
// the examples name the parties and times of this very network, so that they can be sent unchanged.
const place = document.querySelector('#reference')
const { name, tokens } = place.dataset
const userField = document.querySelector('#user')
const filterField = document.querySelector('#filter')
const DAY_MICROS = 86_400_000_000
const USER_STATUS = '/v0/wallet/user-status'
const FIELDS = {
  '#servers': 'Server',
  '.examples-select-element': 'Example',
  '.body-param__text': 'Request body',
  '.parameters select': 'Value',
}
let token = ''

open()

async function open() {
  await chooseUser()
  const document_ = await (await fetch(`/docs/openapi/${name}.json`)).json()
  const parties = tokens === undefined ? {} : await readParties()
  const ui = SwaggerUIBundle({
    spec: withLiveExamples(document_, parties),
    dom_id: '#reference',
    deepLinking: true,
    validatorUrl: null,
    // A link to one operation opens that one only: drawing all of them takes a second or two.
    docExpansion: location.hash === '' ? 'list' : 'none',
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
    plugins: [
      ({ React }) => ({ fn: { opsFilter: filterOperations }, components: plainPaths(React) }),
    ],
    requestInterceptor: (request) => {
      if (token !== '' && request.headers.Authorization === undefined)
        request.headers.Authorization = `Bearer ${token}`
      return request
    },
  })
  new MutationObserver(nameFields).observe(place, { childList: true, subtree: true })
  filterField.addEventListener('input', () => {
    ui.layoutActions.updateFilter(filterField.value)
    for (const { name: tag } of document_.tags ?? [])
      ui.layoutActions.show(['operations-tag', tag], true)
  })
  userField?.addEventListener('change', chooseUser)
}

/** Paths are links within buttons by default, which screen readers cannot reach. */
function plainPaths(React) {
  return { DeepLink: ({ text }) => React.createElement('span', null, text) }
}

/** Names fields that have none, for screen readers; lets the keyboard scroll long examples. */
function nameFields() {
  for (const example of place.querySelectorAll('.microlight:not([tabindex])')) example.tabIndex = 0
  for (const [selector, text] of Object.entries(FIELDS))
    for (const field of place.querySelectorAll(`${selector}:not([aria-label])`))
      field.setAttribute('aria-label', text)
}

async function chooseUser() {
  token = userField === null || userField.value === '' ? '' : await tokenOf(userField.value)
}

async function tokenOf(user) {
  const response = await fetch(`${tokens}?user=${encodeURIComponent(user)}`)
  return response.ok ? (await response.json()).token : ''
}

/** The parties of the people whom a development network begins with, by user. */
async function readParties() {
  const { documents } = await (await fetch('/docs/openapi')).json()
  const mount = documents.find((one) => one.name === 'validator')?.mount
  if (mount === undefined) return {}
  const found = await Promise.all(
    ['alice', 'bob'].map(async (user) => {
      const headers = { Authorization: `Bearer ${await tokenOf(user)}` }
      const response = await fetch(mount + USER_STATUS, { headers })
      return [user, response.ok ? (await response.json()).party_id : '']
    }),
  )
  return Object.fromEntries(found.filter(([, party]) => party !== ''))
}

/** Puts parties that exist, times to come and fresh ids into the examples of requests. */
function withLiveExamples(document_, parties) {
  const mark = Math.random().toString(36).slice(2, 7)
  const live = (value, key) => {
    if (Array.isArray(value)) return value.map((item) => live(item, key))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([at, item]) => [at, live(item, at)]))
    if (typeof value === 'string') {
      const [hint, rest] = value.split('::')
      if (rest !== undefined && parties[hint] !== undefined) return parties[hint]
      if (/^(tracking_id|deduplication_id|commandId)$/.test(key)) return `${value}-${mark}`
    }
    if (typeof value === 'number' && /(expires_at|_before|_until)$/.test(key))
      return Date.now() * 1000 + DAY_MICROS
    return value
  }
  for (const item of Object.values(document_.paths)) {
    for (const operation of Object.values(item)) {
      if (operation?.requestBody) operation.requestBody = live(operation.requestBody, '')
      if (operation?.parameters) operation.parameters = live(operation.parameters, '')
    }
  }
  return document_
}

function filterOperations(tagged, phrase) {
  const words = phrase.toLowerCase().split(/\s+/)
  const matches = (one) => {
    const operation = one.get('operation')
    const text = [one.get('path'), one.get('method'), operation.get('operationId')]
      .concat(operation.get('summary'), operation.get('description'))
      .join(' ')
      .toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return tagged
    .map((tag) => tag.update('operations', (operations) => operations.filter(matches)))
    .filter((tag) => tag.get('operations').size > 0)
}
