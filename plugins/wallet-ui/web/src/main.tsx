// Starts the wallet: first the language, which texts take for granted, then everything else.
import { createRoot } from 'react-dom/client'
import { loadLanguage } from './lib/load-language.ts'

const root = document.getElementById('root')
if (root !== null) {
  await loadLanguage()
  const { App } = await import('./app.tsx')
  createRoot(root).render(<App />)
}
