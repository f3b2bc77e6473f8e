import Button from '@mui/material/Button'
import { type ChangeEvent, type ReactNode, useRef } from 'react'

interface Props {
  id?: string
  label: string
  icon?: ReactNode
  describedBy?: string | undefined
  isWorking?: boolean
  onChoose: (file: File) => void
}

/** A button that opens the file chooser of the device for images. */
export function FileButton({ id, label, icon, describedBy, isWorking = false, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null)

  function handleChange({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0]
    // Allows the user to choose the same file again after a failure.
    target.value = ''
    if (file !== undefined) onChoose(file)
  }

  return (
    <>
      <input ref={input} type="file" accept="image/*" hidden onChange={handleChange} />
      <Button
        id={id}
        variant="outlined"
        startIcon={icon}
        aria-describedby={describedBy}
        aria-disabled={isWorking}
        onClick={() => {
          if (!isWorking) input.current?.click()
        }}
      >
        {label}
      </Button>
    </>
  )
}
