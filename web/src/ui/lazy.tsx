import { type ComponentType, lazy, Suspense, useState } from 'react'
import { loadModule, loadOnce, loadPart } from './load-module.ts'

type Load = () => Promise<unknown>

let isPreloading = false
const pendingLoads: Load[] = []

/**
 * A component whose code is loaded when it is first rendered. A component with an `open` property is not rendered before it is
 * first opened, and stays mounted from then on. See `loadPart` for a load that fails.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Component = lazy(async () => ({ default: await loadPart(load) }))
  if (isPreloading) whenIdle(load)
  else pendingLoads.push(load)

  return (props) => <DeferredComponent Component={Component} props={props} />
}

function DeferredComponent<Props extends object>({
  Component,
  props,
}: {
  Component: ComponentType<Props>
  props: Props
}) {
  const isOpen = !('open' in props) || props.open === true
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  if (!isOpen && !wasOpen) return null
  return (
    <Suspense fallback={null}>
      <Component {...props} />
    </Suspense>
  )
}

/**
 * Loads the code of all lazy components while the browser is idle. For devices without a service worker that stores the code: a
 * component then opens at once, also after the network is lost.
 */
export function preloadLazyComponents() {
  isPreloading = true
  for (const load of pendingLoads.splice(0)) whenIdle(load)
}

/** Returns a function that loads a module, for code that a tap needs. See `loadModule` for a load that fails. */
export function lazyModule<Module>(load: () => Promise<Module>): () => Promise<Module> {
  if (isPreloading) whenIdle(load)
  else pendingLoads.push(load)
  return () => loadModule(load)
}

const idleWithinMs = 2000

/** Runs `load` while the browser is idle, at the latest after two seconds. Its errors are ignored. */
export function whenIdle(load: Load) {
  const idle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, idleWithinMs))
  idle(() => void loadOnce(load).catch(() => undefined), { timeout: idleWithinMs })
}
