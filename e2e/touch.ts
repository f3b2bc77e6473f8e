import type { Locator } from '@playwright/test'

/** Touches the element until `until` resolves, and lifts the finger. */
export async function longPress(target: Locator, until: () => Promise<void>): Promise<void> {
  const { x, y, send } = await fingerOn(target)
  await send('touchStart', x, y)
  await until()
  await send('touchEnd')
}

/** Moves a finger from the element to the right, in steps as a real one does. */
export async function swipeRight(target: Locator, distance: number): Promise<void> {
  const { x, y, send } = await fingerOn(target)
  // The finger moves at once: resting would be a long press.
  await Promise.all([send('touchStart', x, y), send('touchMove', x + 20, y)])
  for (let moved = 30; moved <= distance; moved += 10) await send('touchMove', x + moved, y)
  await send('touchEnd')
}

async function fingerOn(target: Locator) {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (box === null) throw new Error('The element is not visible')
  const session = await target.page().context().newCDPSession(target.page())
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number, y?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: x === undefined || y === undefined ? [] : [{ x, y }],
    })
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, send }
}
