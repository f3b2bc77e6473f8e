/** The part of Google Identity Services that this app uses. */
interface GoogleIdentity {
  initialize(options: {
    client_id: string
    /** The token contains the nonce, so that nobody else can use the token. */
    nonce: string
    callback: (answer: { credential: string }) => void
    ux_mode: 'popup'
    auto_select: boolean
  }): void
  renderButton(
    parent: HTMLElement,
    options: {
      type: 'standard'
      theme: 'outline' | 'filled_black'
      size: 'large'
      text: 'continue_with'
      shape: 'rectangular'
      logo_alignment: 'center'
      width: number
    },
  ): void
}

const source = 'https://accounts.google.com/gsi/client'

let loading: Promise<GoogleIdentity> | null = null

/**
 * Loads Google's script. Only components that show its button call this, because loading it informs Google about the
 * visitor.
 */
export function loadGoogleIdentity(): Promise<GoogleIdentity> {
  loading ??= new Promise<GoogleIdentity>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = source
    script.async = true
    script.onload = () => {
      const { google } = window as { google?: { accounts?: { id?: GoogleIdentity } } }
      const identity = google?.accounts?.id
      if (identity) resolve(identity)
      else reject(new Error('The script of Google Identity Services holds nothing'))
    }
    script.onerror = () => reject(new Error('Google Identity Services cannot be reached'))
    document.head.append(script)
  }).catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}
