import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from '@playwright/test'
import type { EngineTab } from './browser.ts'

const library = readFileSync(
  createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
)

interface Description {
  readonly by: 'role' | 'label' | 'text'
  readonly value: string
  /** The accessible name of a role. */
  readonly name?: string
  /** Whether `name` and `value` are whole texts or parts. */
  readonly exact: boolean
  readonly within?: Description
}

/** What the page shows of an element: where it can be tapped, or why not. */
interface Shown {
  /** -1 if the page could not be asked. */
  readonly count: number
  readonly values: readonly string[]
  readonly point: { readonly x: number; readonly y: number } | null
}

interface Options {
  /** Also finds elements whose name or text only contains the text. */
  readonly part?: boolean
}

/** Finds what a person sees of a page, in the same way in every engine. */
export class Screen {
  readonly tab: EngineTab
  readonly #within: Description | undefined

  constructor(tab: EngineTab, within?: Description) {
    this.tab = tab
    this.#within = within
  }

  role(role: string, name?: string, { part = false }: Options = {}): Found {
    return this.#find({ by: 'role', value: role, exact: !part, ...(name !== undefined && { name }) })
  }

  label(value: string, { part = false }: Options = {}): Found {
    return this.#find({ by: 'label', value, exact: !part })
  }

  text(value: string, { part = false }: Options = {}): Found {
    return this.#find({ by: 'text', value, exact: !part })
  }

  /** Waits until the page shows a text after `act`, also if only for a moment. */
  async showsDuring(text: string, act: () => Promise<void>): Promise<void> {
    await this.tab.run((part) => {
      const look = () => {
        if (document.body.textContent.includes(part)) Object.assign(window, { hasShownText: true })
      }
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    }, text)
    await act()
    await expect
      .poll(() => this.tab.run(() => Reflect.get(window, 'hasShownText') === true), { message: `“${text}” is shown` })
      .toBe(true)
  }

  #find(description: Description): Found {
    return new Found(this.tab, { ...description, ...(this.#within && { within: this.#within }) })
  }
}

class Found extends Screen {
  readonly #description: Description

  constructor(tab: EngineTab, description: Description) {
    super(tab, description)
    this.#description = description
  }

  async shows(): Promise<void> {
    await expect.poll(async () => (await this.#look()).count, this.#waiting('is shown')).toBeGreaterThan(0)
  }

  async isGone(): Promise<void> {
    await expect.poll(async () => (await this.#look()).count, this.#waiting('is gone')).toBe(0)
  }

  /** The value of the first such field. */
  async value(): Promise<string> {
    return (await this.#look()).values[0] ?? ''
  }

  /** Taps the only such element, at the point between 0 and 1 of its width and height, when nothing covers it any more. */
  async tap(at: { x: number; y: number } = { x: 0.5, y: 0.5 }): Promise<void> {
    const { x, y } = await this.#pointAt(at)
    await this.tab.tap(x, y)
  }

  async hover(): Promise<void> {
    const { x, y } = await this.#pointAt({ x: 0.5, y: 0.5 })
    await this.tab.hover(x, y)
  }

  /** Types into the only such field, which is empty. */
  async fill(text: string): Promise<void> {
    await this.tap()
    await this.tab.type(text)
    await expect.poll(() => this.value(), this.#waiting('has the value')).toBe(text)
  }

  async #pointAt(at: { x: number; y: number }): Promise<{ x: number; y: number }> {
    let found: Shown | undefined
    await expect
      .poll(async () => {
        found = await this.#look(at)
        return { count: found.count, canBeTapped: found.point !== null }
      }, this.#waiting('can be tapped'))
      .toEqual({ count: 1, canBeTapped: true })
    return found?.point ?? { x: 0, y: 0 }
  }

  async #look(at: { x: number; y: number } | null = null): Promise<Shown> {
    try {
      const shown = await this.tab.run(look, this.#description, at)
      if (shown !== 'no library') return shown
      await this.tab.script(library)
    } catch (error) {
      // A page that is being left answers no question, so nothing is known.
      return { count: -1, values: [String(error)], point: null }
    }
    return this.#look(at)
  }

  #waiting(what: string) {
    return { message: `${nameOf(this.#description)} ${what}`, timeout: 60_000, intervals: [50, 100, 200] }
  }
}

function nameOf({ by, value, name, within }: Description): string {
  const own = name === undefined ? `${by} “${value}”` : `${value} “${name}”`
  return within ? `${own} in ${nameOf(within)}` : own
}

/** Runs in the page. */
async function look(description: Description, at: { x: number; y: number } | null): Promise<Shown | 'no library'> {
  const library = (window as unknown as { TestingLibraryDom?: typeof import('@testing-library/dom') }).TestingLibraryDom
  if (library === undefined || document.body === null) return 'no library'
  const { queryAllByRole, queryAllByLabelText, queryAllByText } = library

  function isShown(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect()
    // A switch is a transparent field over its drawing.
    const opacityProperty = !element.matches('input')
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty })
  }

  function find({ by, value, name, exact, within }: Description): HTMLElement[] {
    const part = (text: string) => (exact ? text : (content: string) => content.includes(text))
    const roots = within ? find(within) : [document.body]
    const query = (root: HTMLElement): HTMLElement[] => {
      if (by === 'text') return queryAllByText(root, part(value))
      if (by === 'label') return queryAllByLabelText(root, part(value))
      return queryAllByRole(root, value, name === undefined ? {} : { name: part(name) })
    }
    return [...new Set(roots.flatMap(query))].filter(isShown)
  }

  const found = find(description)
  const shown = {
    count: found.length,
    values: found.map((element) => String((element as HTMLInputElement).value ?? '')),
  }
  const [element] = found
  if (at === null || element === undefined) return { ...shown, point: null }
  const pointOf = () => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: Math.round(x + width * at.x), y: Math.round(y + height * at.y) }
  }
  const isInView = ({ x, y }: { x: number; y: number }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight
  if (!isInView(pointOf())) element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const before = pointOf()
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  const point = pointOf()
  const rests = before.x === point.x && before.y === point.y
  const hit = document.elementFromPoint(point.x, point.y)
  const isHit =
    hit !== null && (element.contains(hit) || hit.contains(element) || hit.closest('label')?.contains(element) === true)
  const isEnabled = !element.matches(':disabled, [aria-disabled=true]')
  return { ...shown, point: rests && isHit && isEnabled && isInView(point) ? point : null }
}
