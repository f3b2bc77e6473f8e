import { sourceLanguage } from '@hither/contract/runtime/locales.ts'
import type { Message } from '@hither/contract/runtime/message-format.ts'
import { limitTime, responseWithinMs } from '../device/time-limit.ts'
import { activeLanguage } from './language.ts'
import { textCache } from './text-cache.ts'
import { addMessages } from './translate.ts'

/** Files of compiled messages, in the order in which screens need them. See `scripts/messages/groups.ts`. */
export type TextGroup = 'visitor' | 'home' | 'rest'

/** The addresses of the files of a language. English has no file with names of emoji. */
type LanguageAddresses = Readonly<Record<TextGroup, string>> & { readonly emoji?: string }

type Texts = Readonly<Record<string, Message>>

const loads = new Map<TextGroup, Promise<void>>()
const stores: Promise<void>[] = []

/** The addresses of the files of the active language. The build writes those of all languages into the page. */
export function textAddresses(language = activeLanguage): LanguageAddresses {
  const all = JSON.parse(document.getElementById('texts')?.textContent ?? '{}') as Readonly<
    Record<string, LanguageAddresses>
  >
  const addresses = all[language]
  if (addresses === undefined) throw new Error(`The page has no texts in ${language}`)
  return addresses
}

/**
 * Resolves when the texts of a group and of those before it are loaded. Each file is requested once; a failed request is repeated by
 * the next call. Rejects with the error of the request.
 */
export async function loadTexts(group: TextGroup): Promise<void> {
  const wanted = { visitor: ['visitor'], home: ['visitor', 'home'], rest: ['visitor', 'home', 'rest'] } as const
  await Promise.all(wanted[group].map(loadGroup))
}

function loadGroup(group: TextGroup): Promise<void> {
  const running = loads.get(group)
  if (running !== undefined) return running
  const load = request(textAddresses()[group]).then(addMessages)
  loads.set(group, load)
  load.catch(() => loads.delete(group))
  return load
}

/**
 * Resolves to the name and, after a vertical bar, further words of each emoji in the active language; to nothing in English. Rejects
 * with the error of the request.
 */
export async function loadEmojiNames(): Promise<Readonly<Record<string, string>>> {
  if (activeLanguage === sourceLanguage) return {}
  const { emoji } = textAddresses()
  return emoji === undefined ? {} : ((await request(emoji)) as Readonly<Record<string, string>>)
}

/** Loads all texts of the page and stores them for a start without a network. Rejects if they cannot be loaded or stored. */
export async function storeAllTexts(): Promise<void> {
  await Promise.all([loadTexts('rest'), loadEmojiNames()])
  await Promise.all(stores)
}

async function store(address: string, texts: string): Promise<void> {
  const cache = await caches.open(textCache)
  await cache.put(address, new Response(texts, { headers: { 'Content-Type': 'application/json' } }))
}

async function request(address: string): Promise<Texts> {
  const { texts, content } = await fetchTexts(address).catch(() => fetchTexts(address, 'reload'))
  // A service worker that controls the page does this itself.
  if (navigator.serviceWorker && !navigator.serviceWorker.controller) {
    const stored = store(address, content)
    // A browser without storage shows the texts all the same.
    stored.catch(() => undefined)
    stores.push(stored)
  }
  return texts
}

/** Rejects for what is not JSON, for example the sign-in page of a network. */
async function fetchTexts(address: string, cache: RequestCache = 'default') {
  const limit = limitTime(responseWithinMs)
  try {
    const response = await fetch(address, { cache, signal: limit.signal })
    if (!response.ok) throw new Error(`${address} was answered with ${response.status}`)
    const content = await response.text()
    return { content, texts: JSON.parse(content) as Texts }
  } finally {
    limit.end()
  }
}
