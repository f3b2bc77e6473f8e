/** A browser of one engine, which opens tabs that share no storage. */
export interface EngineBrowser {
  open(): Promise<EngineTab>
  close(): Promise<void>
}

export type Key = 'Enter' | 'Tab' | 'ArrowRight'

/** What the drivers of all engines can do with a tab. Points are CSS pixels of the viewport. */
export interface EngineTab {
  /** Resolves when the page is loaded. */
  load(address: string): Promise<void>
  reload(): Promise<void>
  /** Calls a function, which sees nothing of its module, in the page, and resolves with what its promise resolves with. */
  run<Args extends readonly unknown[], T>(body: (...args: Args) => T | Promise<T>, ...args: Args): Promise<T>
  /** Runs the source of a script in the page. */
  script(source: string): Promise<void>
  tap(x: number, y: number): Promise<void>
  hover(x: number, y: number): Promise<void>
  /** Types into the focused element. */
  type(text: string): Promise<void>
  press(key: Key): Promise<void>
  /** Pastes the clipboard into the focused element. */
  paste(): Promise<void>
  /** Chooses a file in the element with this CSS selector. */
  choose(selector: string, path: string): Promise<void>
  picture(): Promise<Buffer>
  close(): Promise<void>
}
