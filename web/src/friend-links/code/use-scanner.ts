import { type RefObject, useEffect, useRef, useState } from 'react'
import { createDecoder } from './qr-decoder.ts'

/** Between two frames, so that a slow phone stays responsive. */
const pauseMs = 200

interface Scanner {
  videoRef: RefObject<HTMLVideoElement | null>
  failure: 'denied' | 'unavailable' | null
}

/**
 * Shows the camera in the video and calls `onText` with each QR code that differs from the previous one. The camera is
 * released when the component is unmounted. No frame leaves the device.
 */
export function useScanner(onText: (text: string) => void): Scanner {
  const videoRef = useRef<HTMLVideoElement>(null)
  const [failure, setFailure] = useState<Scanner['failure']>(null)
  const onTextRef = useRef(onText)
  useEffect(() => {
    onTextRef.current = onText
  }, [onText])

  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    scan(videoRef, (text) => onTextRef.current(text), signal).catch((error: unknown) => {
      if (signal.aborted) return
      const isDenied = error instanceof DOMException && error.name === 'NotAllowedError'
      setFailure(isDenied ? 'denied' : 'unavailable')
    })
    return () => abort.abort()
  }, [])

  return { videoRef, failure }
}

/** Runs until the signal is aborted. Rejects if there is no camera, no permission or no secure page. */
async function scan(
  videoRef: RefObject<HTMLVideoElement | null>,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  // Undefined on pages without HTTPS.
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices }
  if (mediaDevices === undefined) throw new DOMException('No camera', 'NotFoundError')
  const stream = await mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  signal.addEventListener('abort', stop)
  const video = videoRef.current
  if (signal.aborted || video === null) return stop()
  video.srcObject = stream
  await video.play()
  const decode = await createDecoder()
  let before: string | null = null
  while (!signal.aborted) {
    const text = await decode(video)
    if (text !== null && text !== before && !signal.aborted) onText(text)
    before = text ?? before
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
