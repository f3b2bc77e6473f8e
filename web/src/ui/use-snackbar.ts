import { createContext, useContext } from 'react'

export interface Snackbars {
  showError: (message: string) => void
  showNotice: (message: string) => void
}

export const SnackbarContext = createContext<Snackbars | null>(null)

export function useSnackbar(): Snackbars {
  const snackbars = useContext(SnackbarContext)
  if (snackbars === null) throw new Error('useSnackbar needs a SnackbarProvider above it')
  return snackbars
}
