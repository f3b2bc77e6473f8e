import { loadModule } from '../../ui/load-module.ts'

/** Returns the text of the QR code in the current frame; null if there is none. */
type Decode = (video: HTMLVideoElement) => Promise<string | null>

/** The part of the Barcode Detection API that is used here. TypeScript's DOM types do not contain it. */
interface BarcodeDetectorClass {
  new (options: { formats: string[] }): { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> }
  getSupportedFormats(): Promise<string[]>
}

/** Larger frames take longer to decode and are not more legible. */
const sideMaxPx = 640

/** Uses the browser's decoder, or loads one in JavaScript where the browser has none. */
export async function createDecoder(): Promise<Decode> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: BarcodeDetectorClass }
  const formats = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? []
  return BarcodeDetector && formats.includes('qr_code') ? createNative(BarcodeDetector) : createFallback()
}

function createNative(BarcodeDetector: BarcodeDetectorClass): Decode {
  const detector = new BarcodeDetector({ formats: ['qr_code'] })
  return async (video) => {
    const [code] = await detector.detect(video).catch(() => [])
    return code?.rawValue ?? null
  }
}

async function createFallback(): Promise<Decode> {
  const { decodeQR } = await loadModule(() => import('qr/decode.js'))
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (video) => {
    const { videoWidth, videoHeight } = video
    if (context === null || videoWidth === 0 || videoHeight === 0) return null
    const scale = Math.min(1, sideMaxPx / Math.max(videoWidth, videoHeight))
    canvas.width = Math.round(videoWidth * scale)
    canvas.height = Math.round(videoHeight * scale)
    context.drawImage(video, 0, 0, canvas.width, canvas.height)
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height))
    } catch {
      // The decoder throws if it finds no code.
      return null
    }
  }
}
