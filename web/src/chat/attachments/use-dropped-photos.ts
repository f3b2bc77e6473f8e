import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

/**
 * Takes pictures that are pasted into the conversation around an element or dropped onto it. Returns whether files are being
 * dragged over it.
 */
export function useDroppedPhotos(ref: RefObject<HTMLElement | null>, onPhotos: (files: readonly File[]) => void) {
  const [isDragging, setIsDragging] = useState(false)

  const handlePaste = useEffectEvent((event: ClipboardEvent) => {
    const photos = photosIn(event.clipboardData)
    // Office programs copy a picture of the text too. Then the text is meant.
    if (photos.length === 0 || event.clipboardData?.types.includes('text/plain')) return
    event.preventDefault()
    onPhotos(photos)
  })
  const handleDrop = useEffectEvent((event: DragEvent) => {
    setIsDragging(false)
    if (!carriesFiles(event)) return
    // Otherwise the browser would open the file.
    event.preventDefault()
    const photos = filesIn(event.dataTransfer)
    if (photos.length > 0) onPhotos(photos)
  })

  useEffect(() => {
    const area = ref.current?.closest('section') ?? null
    if (area === null) return
    const paste = (event: ClipboardEvent) => handlePaste(event)
    const drop = (event: DragEvent) => handleDrop(event)
    const dragOver = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setIsDragging(true)
    }
    const dragLeave = ({ relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && area.contains(relatedTarget))) setIsDragging(false)
    }
    area.addEventListener('paste', paste)
    area.addEventListener('drop', drop)
    area.addEventListener('dragover', dragOver)
    area.addEventListener('dragleave', dragLeave)
    return () => {
      area.removeEventListener('paste', paste)
      area.removeEventListener('drop', drop)
      area.removeEventListener('dragover', dragOver)
      area.removeEventListener('dragleave', dragLeave)
    }
  }, [ref])

  return isDragging
}

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

function filesIn(data: DataTransfer | null): readonly File[] {
  return [...(data?.files ?? [])]
}

function photosIn(data: DataTransfer | null): readonly File[] {
  return filesIn(data).filter(({ type }) => type.startsWith('image/'))
}
