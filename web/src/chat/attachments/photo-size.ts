import type { Size } from './zoom.ts'

const most = { width: 280, height: 340 } as const
const least = { width: 120, height: 90 } as const
/** For a photo whose size is unknown. */
const usual: Size = { width: 280, height: 210 }

/** The space of a photo in its bubble, in pixels. Very long photos are cropped to it. */
export function bubbleSize(width: number | null, height: number | null): Size {
  if (width === null || height === null || width <= 0 || height <= 0) return usual
  const ratio = Math.min(1, most.width / width, most.height / height)
  return {
    width: Math.round(Math.max(least.width, width * ratio)),
    height: Math.round(Math.max(least.height, height * ratio)),
  }
}
