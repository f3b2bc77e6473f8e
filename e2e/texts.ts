import { readFileSync } from 'node:fs'
import { formatMessage, isolated, type Message } from '@hither/contract/runtime/message-format.ts'
import { expect, type Page } from '@playwright/test'

/** The compiled messages of the web app in a language or pseudo-language, by key. */
export function messagesOf(tag: string): Readonly<Record<string, Message>> {
  const files = ['visitor', 'home', 'rest'].map((group) =>
    readFileSync(new URL(`../locales/compiled/${tag}/${group}.json`, import.meta.url), 'utf8'),
  )
  return Object.assign({}, ...files.map((file) => JSON.parse(file)))
}

/** Returns what the app shows for keys in this language. Throws an error for a key that does not exist. */
export function textsIn(tag: string): (key: string, values?: Readonly<Record<string, string>>) => string {
  const messages = messagesOf(tag)
  const format = { pluralRules: new Intl.PluralRules('en'), number: new Intl.NumberFormat('en') }
  return (key, values = {}) => {
    const message = messages[key]
    if (message === undefined) throw new Error(`There is no message ${key}`)
    return formatMessage(message, isolated(values, tag.startsWith('ar')), format)
  }
}

/** All visible texts of the page, and the accessible names and titles that are written as attributes. */
export function shownTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shown: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (node.parentElement?.checkVisibility()) shown.push(node.textContent ?? '')
    const names = [...document.querySelectorAll('[aria-label], [placeholder], [title], img[alt]')].flatMap((element) =>
      ['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
    )
    return [...shown, ...names, document.title].map((text) => text.trim()).filter((text) => text !== '')
  })
}

/** Expects that neither the page nor a box that scrolls is wider than what is visible of it. */
export async function expectNoSidewaysScroll(page: Page, screen: string) {
  expect([screen, await listWideBoxes(page)]).toEqual([screen, []])
}

/** Like `expectNoSidewaysScroll`, and expects that no text leaves the page or is cut off by its button. The test continues. */
export async function expectToFit(page: Page, screen: string) {
  const found = [...(await listWideBoxes(page)), ...(await listCutTexts(page))]
  expect.soft([screen, found]).toEqual([screen, []])
}

function listWideBoxes(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.body.querySelectorAll('*')]
      .filter((box) => /auto|scroll/.test(getComputedStyle(box).overflowX) || box === document.documentElement)
      // A row of tabs scrolls on purpose where its words do not fit.
      .filter((box) => box.querySelector(':scope > [role=tablist]') === null)
      .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1)
      .map((box) => `${box.tagName} ${box.className} ${box.scrollWidth} > ${box.clientWidth}`),
  )
}

function listCutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth } = document.documentElement
    const cut: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement
      if (!parent?.checkVisibility() || (node.textContent ?? '').trim() === '') continue
      const isShortened = (box: Element | null): boolean =>
        box !== null && (getComputedStyle(box).textOverflow === 'ellipsis' || isShortened(box.parentElement))
      const isUnseen = (box: Element | null): boolean =>
        box !== null &&
        (/rect|inset/.test(getComputedStyle(box).clip + getComputedStyle(box).clipPath) || isUnseen(box.parentElement))
      const scrolls = (box: Element | null): boolean =>
        box !== null &&
        box !== document.documentElement &&
        (/auto|scroll/.test(getComputedStyle(box).overflowX) || scrolls(box.parentElement))
      if (isShortened(parent) || isUnseen(parent)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const { left, right, width } = range.getBoundingClientRect()
      if (width === 0) continue
      if (!scrolls(parent) && (left < -1 || right > clientWidth + 1)) cut.push(`page: ${node.textContent}`)
      const button = parent.closest('button, a[class*="Button"]')?.getBoundingClientRect()
      if (button && (left < button.left - 1 || right > button.right + 1)) cut.push(`button: ${node.textContent}`)
    }
    return cut
  })
}
