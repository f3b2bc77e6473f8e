import { type CapacitorConfig } from '@capacitor/cli'

/** Read by Capacitor's own tools under plain Node: only types that can be erased. */
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
