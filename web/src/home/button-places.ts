export interface ButtonPlace {
  /** From the lower edge of the map, and from the right one. */
  bottomPx: number
  rightPx: number
}

export const addButtonPx = 60
const quickButtonPx = 48
const gapPx = 16
/** What the tools along the right edge take of its upper end. */
export const toolsPx = 236

/** Above what covers the lower part of the map: the add button, and over it the quick one. Where the tools leave no room, beside. */
export function buttonPlaces(coveredPx: number, mapHeightPx: number): { add: ButtonPlace; quick: ButtonPlace } {
  const bottomPx = coveredPx + gapPx
  const aboveAddPx = bottomPx + addButtonPx + gapPx / 2
  const fits = (topPx: number) => mapHeightPx === 0 || mapHeightPx - topPx >= toolsPx
  const add = { bottomPx, rightPx: fits(bottomPx + addButtonPx) ? gapPx : gapPx + 56 }
  if (fits(aboveAddPx + quickButtonPx)) return { add, quick: { bottomPx: aboveAddPx, rightPx: 22 } }
  return { add, quick: { bottomPx: bottomPx + 6, rightPx: add.rightPx + addButtonPx + gapPx / 2 } }
}
