import { expect, it } from 'vitest'
import { addButtonPx, buttonPlaces, toolsPx } from './button-places.ts'

const toolsLeftPx = 60

it('puts the quick button over the add button where there is room', () => {
  expect(buttonPlaces(156, 724)).toEqual({ add: { bottomPx: 172, rightPx: 16 }, quick: { bottomPx: 240, rightPx: 22 } })
})

it.each([200, 362, 515, 547, 692, 724])('lets nothing cover another over half of a map of %d pixels', (heightPx) => {
  const { add, quick } = buttonPlaces(heightPx / 2, heightPx)
  for (const [{ bottomPx, rightPx }, sizePx] of [
    [add, addButtonPx],
    [quick, 48],
  ] as const)
    expect(heightPx - bottomPx - sizePx >= toolsPx || rightPx >= toolsLeftPx).toBe(true)
  expect(quick.rightPx >= add.rightPx + addButtonPx || quick.bottomPx >= add.bottomPx + addButtonPx).toBe(true)
})
