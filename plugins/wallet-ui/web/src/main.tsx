// Starts the wallet: first the language, which texts take for granted, then everything else.
import { createRoot } from 'react-dom/client'
import { loadLanguage } from './lib/load-language.ts'

const root = document.getElementById('root')
if (root !== null) {
  const [{ App }] = await Promise.all([import('./app.tsx'), loadLanguage()])
  createRoot(root).render(<App />)
}
