import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuthSession } from '@hither/contract/auth/auth.ts'
import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import { createConversation, type Message, sendMessage } from '@hither/contract/messages/messages.ts'
import { setReaction } from '@hither/contract/messages/reactions.ts'
import { quickEmoji } from '@hither/contract/runtime/messages/reactions.ts'
import { chromium, type Page } from '@playwright/test'
import { chromiumPath } from '../../e2e/chromium.ts'
import { storageOf } from '../../e2e/people.ts'
import { startHither } from './hither.ts'
import { befriend, call, say, signUp } from './people.ts'
import { median } from './process.ts'

/**
 * Measures how long a conversation of `MESSAGES` messages takes to open in a browser, and its frame times while scrolling, with
 * some and with all messages loaded. With `REACTIONS=on`, every message has two reactions and every third one is a reply.
 */
const withReactions = process.env['REACTIONS'] === 'on'
const messages = Number(process.env['MESSAGES'] ?? 50_000)
const sendersAtOnce = 8
const framesToScroll = 240
const pixelsAFrame = 60

const folder = await mkdtemp(join(tmpdir(), 'hither-bench-'))
const hither = await startHither({ DATA_DIR: folder, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' })
const browser = await chromium.launch({
  executablePath: chromiumPath() ?? '',
  args: ['--no-sandbox', '--enable-precise-memory-info'],
})
try {
  const { ann, conversationId } = await populate(hither.url)
  const page = await pageOf(ann)
  await page.goto(`${hither.url}/chat`)
  const row = page.locator(`a[href="/chat/${conversationId}"]`)
  await row.waitFor()

  const openedMs = await opening(page, conversationId)
  const first = await scrolling(page)
  const wholeMs = await readingAll(page)
  const whole = await scrolling(page)
  const { rows, heapMb } = await page.evaluate(() => ({
    rows: document.querySelectorAll('main li').length,
    heapMb: (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize / 2 ** 20,
  }))
  print([
    [`${messages} messages${withReactions ? ', each with two reactions, every third one a reply' : ''}`, ''],
    ['from the tap to the newest page on screen', `${openedMs.toFixed(0)} ms`],
    ['a frame while scrolling back, pages loading: median / 95 % / worst', frames(first)],
    ['reading it back to its first message', `${(wholeMs / 1000).toFixed(1)} s`],
    ['a frame while scrolling with all of it loaded: median / 95 % / worst', frames(whole)],
    ['rows in the document / heap of the page', `${rows} / ${heapMb.toFixed(0)} MB`],
  ])
} finally {
  await browser.close()
  await hither.stop()
  await rm(folder, { recursive: true, force: true })
}

async function populate(url: string): Promise<{ ann: AuthSession; conversationId: ConversationId }> {
  const [ann, bob] = [await signUp(url, 'ann'), await signUp(url, 'bob')]
  await befriend(url, ann, bob)
  const conversation = await call(url, createConversation, { body: { participant_ids: [bob.user.id] } }, ann)
  let next = 1
  await Promise.all(
    Array.from({ length: sendersAtOnce }, async () => {
      let quoted: MessageId | null = null
      while (next <= messages) {
        const number = next++
        const as = number % 3 === 0 ? ann : bob
        if (!withReactions) {
          await say(url, as, conversation.id, contentOf(number))
          continue
        }
        const body = { conversation_id: conversation.id, content: contentOf(number) }
        const reply: { reply_to_id?: MessageId } = number % 3 === 1 && quoted !== null ? { reply_to_id: quoted } : {}
        const { message }: { message: Message } = await call(url, sendMessage, { body: { ...body, ...reply } }, as)
        quoted = message.id
        const params = { id: message.id }
        await call(url, setReaction, { params, body: { emoji: quickEmoji[number % 6] ?? '👍' } }, ann)
        await call(url, setReaction, { params, body: { emoji: quickEmoji[number % 5] ?? '👍' } }, bob)
      }
    }),
  )
  return { ann, conversationId: conversation.id }
}

/** Texts of different lengths, so that the messages have different heights. */
function contentOf(number: number): string {
  return `${number} ${'and then some more of it '.repeat(number % 7)}`.trim()
}

async function pageOf(person: AuthSession): Promise<Page> {
  const viewport = { width: 390, height: 844 }
  const context = await browser.newContext({ viewport, storageState: storageOf(hither.url, { session: person }) })
  return context.newPage()
}

function opening(page: Page, conversationId: ConversationId): Promise<number> {
  return page.evaluate(async (id) => {
    const began = performance.now()
    document.querySelector<HTMLElement>(`a[href="/chat/${id}"]`)?.click()
    while (document.querySelector('main section section li p') === null) await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return performance.now() - began
  }, conversationId)
}

/** The frame times in milliseconds while the list scrolls by a fixed distance per frame. */
function scrolling(page: Page): Promise<number[]> {
  return page.evaluate(
    async ([frames, pixels]) => {
      const list = document.querySelector('main section section')
      const took: number[] = []
      list?.scrollTo(0, list.scrollHeight)
      await new Promise((resolve) => setTimeout(resolve, 300))
      let last = await new Promise(requestAnimationFrame)
      for (let frame = 0; frame < frames; frame++) {
        list?.scrollBy(0, -pixels)
        const now = await new Promise<number>(requestAnimationFrame)
        took.push(now - Number(last))
        last = now
      }
      return took
    },
    [framesToScroll, pixelsAFrame] as const,
  )
}

function readingAll(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const list = document.querySelector('main section section')
    const began = performance.now()
    while (!/^1\b/.test(list?.querySelector('li p')?.textContent ?? '')) {
      list?.scrollTo(0, 0)
      await new Promise(requestAnimationFrame)
    }
    return performance.now() - began
  })
}

function frames(took: readonly number[]): string {
  const sorted = [...took].sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  return `${median(took).toFixed(1)} / ${at(0.95)} / ${at(1)} ms`
}

function print(rows: readonly (readonly string[])[]) {
  for (const [name = '', value = ''] of rows) process.stdout.write(`${name.padEnd(72)} ${value}\n`)
}
