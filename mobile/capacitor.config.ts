import type { CapacitorConfig } from '@capacitor/cli'

/** Capacitor's tools load this file with plain Node, so it uses only erasable TypeScript syntax. */
const config: CapacitorConfig = {
  appId: 'app.hither.mobile',
  appName: 'Hither',
  webDir: '../web/dist',
  backgroundColor: '#ffffff',
  server: { androidScheme: 'https' },
  android: { allowMixedContent: false, webContentsDebuggingEnabled: false },
  ios: { contentInset: 'never' },
  plugins: {
    SystemBars: { insetsHandling: 'css', initialViewportFitValueHint: 'cover', style: 'DEFAULT' },
    SplashScreen: { launchAutoHide: false },
    PushNotifications: { presentationOptions: ['badge', 'sound', 'banner', 'list'] },
  },
}

export default config
