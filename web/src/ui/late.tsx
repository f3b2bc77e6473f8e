import { type ComponentType, lazy, Suspense, useState } from 'react'

type Load = () => Promise<unknown>

let isAhead = false
const loads: Load[] = []

/**
 * A part of a screen that the first picture does without: its code comes when it is shown first. One that is told whether
 * it is `open` is not there before it is opened, and stays from then on.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load() }))
  if (isAhead) whenIdle(load)
  else loads.push(load)

  return (props) => <Late Part={Part} props={props} />
}

function Late<Props extends object>({ Part, props }: { Part: ComponentType<Props>; props: Props }) {
  const isOpen = !('open' in props) || props.open === true
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  if (!isOpen && !wasOpen) return null
  return (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  )
}

/** For devices where no service worker keeps the code: it is there before the network goes, and opens at once. */
export function loadAhead() {
  isAhead = true
  for (const load of loads.splice(0)) whenIdle(load)
}

function whenIdle(load: Load) {
  const idle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 2000))
  idle(() => void load().catch(() => undefined))
}
