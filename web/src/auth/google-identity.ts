/** The part of Google Identity Services that is used here. */
export interface GoogleIdentity {
  initialize(options: {
    client_id: string
    /** Comes back in the token, which then is of no use to anybody else. */
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

/** Google's script is asked for by whoever shows its button, and by nobody else: it tells Google who is here. */
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
