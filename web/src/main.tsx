import { loadTexts } from './i18n/texts.ts'
import { loadPart } from './ui/load-module.ts'
import './splash.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
void start(root)

/** The code of the app runs after the texts of its first screen have arrived. The page requests both at once. */
async function start(root: HTMLElement) {
  const { startApp } = await loadPart(() => import('./app.tsx'), 'visitor')
  // What other screens need arrives while the first one is drawn. A failure is repeated by the screen that needs it.
  loadTexts('rest').catch(() => undefined)
  await startApp(root)
}
