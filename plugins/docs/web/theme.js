// Runs before the page is drawn: the colours that the reader chose, or the system's. Then the menu,
// the button that changes colours, and a button to copy each piece of code.
const KEY = 'ledgerwright-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

function applyTheme() {
  const theme = localStorage.getItem(KEY) ?? (dark.matches ? 'dark' : 'light')
  document.documentElement.dataset.theme = theme
  document.documentElement.classList.toggle('dark-mode', theme === 'dark')
}

applyTheme()
dark.addEventListener('change', applyTheme)

document.addEventListener('DOMContentLoaded', () => {
  addThemeButton()
  openMenu()
  for (const block of document.querySelectorAll('.code')) addCopyButton(block)
})

function addThemeButton() {
  const button = document.createElement('button')
  button.className = 'theme'
  button.type = 'button'
  button.textContent = '◐'
  button.setAttribute('aria-label', 'Switch between light and dark')
  button.addEventListener('click', () => {
    const isDark = document.documentElement.dataset.theme === 'dark'
    localStorage.setItem(KEY, isDark ? 'light' : 'dark')
    applyTheme()
  })
  document.querySelector('.links')?.append(button)
}

// On a wide screen the menu is always open; on a narrow one it opens on request.
function openMenu() {
  const menu = document.querySelector('.menu')
  if (menu === null) return
  const wide = matchMedia('(min-width: 821px)')
  const fit = () => menu.toggleAttribute('open', wide.matches)
  wide.addEventListener('change', fit)
  fit()
  if (wide.matches) menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
}

function addCopyButton(block) {
  const button = document.createElement('button')
  button.className = 'copy'
  button.type = 'button'
  const showCopied = (isCopied) => {
    button.textContent = isCopied ? 'Copied' : 'Copy'
    button.classList.toggle('done', isCopied)
  }
  showCopied(false)
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('pre').innerText.trimEnd())
    showCopied(true)
    setTimeout(showCopied, 1500, false)
  })
  block.append(button)
}
